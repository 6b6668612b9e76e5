import { raw, type TokenUnits } from '@core/pricing';
import type { FillerCost } from '../config.ts';

/**
 * Return what a filler has to earn per token at an average price, in pips: its margin, and the gas of a fill of this
 * size, each rounded up. The limit of a grant is so far beyond the average of its size, or no filler takes it.
 */
export function fillerCostPipsOf(
  { averagePips, tokenUnits }: { readonly averagePips: bigint; readonly tokenUnits: TokenUnits },
  { marginBps, gasUsdcUnits }: FillerCost,
): bigint {
  const margin = ceilingOf(averagePips * raw(marginBps), 10_000n);
  return margin + ceilingOf(raw(gasUsdcUnits) * 10_000n, raw(tokenUnits));
}

const ceilingOf = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor;
