import type { PricePoint } from '../live/history.ts';
import type { PlotPoint } from '../parts/LinePlot.tsx';

/** Tokens and loan of a position from one of its events on, and the interest that the event paid. */
export interface LedgerStep {
  /** Time of the block, epoch milliseconds. */
  readonly atMs: number;
  readonly tokenUnits: bigint;
  readonly principalUsdcUnits: bigint;
  readonly paidFeeUsdcUnits: bigint;
}

interface EquityInput {
  /** At least one, the oldest first. */
  readonly steps: readonly LedgerStep[];
  /** Prices of the position's token, the oldest first. */
  readonly prices: readonly PricePoint[];
  readonly entryPricePips: number;
  readonly aprBps: number;
  readonly endMs: number;
}

const yearMs = 365 * 86_400_000;
const unitsPerPip = 100;
const unitsPerToken = 1_000_000;
const wholeBps = 10_000;

/**
 * Return the equity of a position over its life in pips: tokens at the price, less loan and interest, at least 0. It
 * has a point for each price and each event. For display only.
 */
export function equityPointsOf({ steps, prices, entryPricePips, aprBps, endMs }: EquityInput): readonly PlotPoint[] {
  const startMs = steps[0]?.atMs ?? endMs;
  const lived = prices.filter(({ atMs }) => atMs >= startMs && atMs <= endMs);
  const times = [...new Set([...steps, ...lived].map(({ atMs }) => atMs))].toSorted((left, right) => left - right);
  let price = prices.findLast(({ atMs }) => atMs < startMs)?.pips ?? entryPricePips;
  let owedFeeUnits = 0;
  let current: LedgerStep | null = null;
  let sinceMs = startMs;
  let [nextStep, nextPrice] = [0, 0];
  return times.map((atMs) => {
    const principalUnits = Number(current?.principalUsdcUnits ?? 0n);
    owedFeeUnits += (principalUnits * aprBps * (atMs - sinceMs)) / wholeBps / yearMs;
    sinceMs = atMs;
    for (let step = steps[nextStep]; step !== undefined && step.atMs <= atMs; step = steps[nextStep]) {
      owedFeeUnits = Math.max(0, owedFeeUnits - Number(step.paidFeeUsdcUnits));
      current = step;
      nextStep += 1;
    }
    for (let point = lived[nextPrice]; point !== undefined && point.atMs <= atMs; point = lived[nextPrice]) {
      price = point.pips;
      nextPrice += 1;
    }
    const { tokenUnits = 0n, principalUsdcUnits = 0n } = current ?? {};
    const valuePips = (Number(tokenUnits) * price) / unitsPerToken;
    return { atMs, value: Math.max(0, valuePips - (Number(principalUsdcUnits) + owedFeeUnits) / unitsPerPip) };
  });
}
