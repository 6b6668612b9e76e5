import { formatUsd, usdPips } from '@core/pricing';
import type { SuggestedSize } from './failures.ts';

/** Return the rejected command line with the suggested size, ready to copy. */
export function suggestedCall(words: readonly string[], suggested: SuggestedSize): string {
  const sized = [
    ['--leverage', String(suggested.leverage_bps / 10_000)],
    ['--notional', formatUsd(usdPips(BigInt(suggested.notional_amount_usd_pips)))],
    ['--slippage', String(suggested.slippage_bps)],
  ] as const;
  const names = new Set<string>(sized.map(([name]) => name));
  const others = words.filter((word, index) => {
    const isName = names.has(word.split('=')[0] ?? '');
    const isValue = names.has(words[index - 1] ?? '');
    return !isName && !isValue;
  });
  return ['lev', ...others, ...sized.flat()].join(' ');
}
