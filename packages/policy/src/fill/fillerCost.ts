import { divide, raw, subtract, type TokenUnits, toShareStep } from '@core/pricing';
import type { FillerCost } from '../config.ts';

/**
 * Return what a filler has to earn per token at an average price, in pips: its margin, and the gas of a fill of this
 * size, each rounded up. The limit of a grant is so far beyond the average of its size, or no filler takes it.
 */
export function fillerCostPipsOf(
  { averagePips, tokenUnits }: { readonly averagePips: bigint; readonly tokenUnits: TokenUnits },
  { marginBps, gasUsdcUnits }: FillerCost,
): bigint {
  const margin = divide(averagePips * raw(marginBps), 10_000n, 'up');
  return margin + divide(raw(gasUsdcUnits) * 10_000n, raw(tokenUnits), 'up');
}

/**
 * Return the same for a sale, with what the part below the venue's step costs, rounded up: a filler pays for all tokens
 * and sells whole steps. A cent of a token is more than a tick where few are sold.
 */
export function saleCostPipsOf(
  sale: { readonly averagePips: bigint; readonly tokenUnits: TokenUnits },
  cost: FillerCost,
): bigint {
  const { averagePips, tokenUnits: size } = sale;
  const unsold = raw(subtract(size, toShareStep(size, 'down')));
  return fillerCostPipsOf(sale, cost) + divide(averagePips * unsold, raw(size), 'up');
}
