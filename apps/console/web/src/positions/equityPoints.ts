import type { OpenPosition, PositionLedger } from '@core/sdk';
import type { PricePoint } from '../live/history.ts';
import type { PlotPoint } from '../parts/LinePlot.tsx';

/** Tokens and debt of a position from a row of its ledger on, and what the row paid. */
export interface LedgerStep {
  /** Time of the block, epoch milliseconds. */
  readonly atMs: number;
  readonly tokenUnits: bigint;
  readonly principalUsdcUnits: bigint;
  /** Unpaid fees; interest on the loan runs from here. */
  readonly owedFeeUsdcUnits: bigint;
  /** Paid to the owner, less what the owner added. */
  readonly payoutUsdcUnits: bigint;
}

/** Return the steps of a ledger. What the opening cost is in its equity. */
export const stepsOf = ({ data }: PositionLedger): readonly LedgerStep[] =>
  data.map((row) => ({
    atMs: Date.parse(row.executed_at),
    tokenUnits: BigInt(row.remaining_token_units),
    principalUsdcUnits: BigInt(row.remaining_principal_usdc_units),
    owedFeeUsdcUnits: BigInt(row.remaining_fee_usdc_units),
    payoutUsdcUnits: row.kind === 'opening' ? 0n : BigInt(row.paid_out_usdc_units) - BigInt(row.paid_in_usdc_units),
  }));

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
 * Return the equity of a position over its life in pips, with what it has paid out and less added margin. Equity is
 * tokens at the price, less loan and interest, at least 0. There is a point for each price and each event. For display
 * only.
 */
export function equityPointsOf({ steps, prices, entryPricePips, aprBps, endMs }: EquityInput): readonly PlotPoint[] {
  const startMs = steps[0]?.atMs ?? endMs;
  const lived = prices.filter(({ atMs }) => atMs >= startMs && atMs <= endMs);
  const times = [...new Set([...steps, ...lived].map(({ atMs }) => atMs))].toSorted((left, right) => left - right);
  let price = prices.findLast(({ atMs }) => atMs < startMs)?.pips ?? entryPricePips;
  let owedFeeUnits = 0;
  let payoutUnits = 0;
  let current: LedgerStep | null = null;
  let sinceMs = startMs;
  let [nextStep, nextPrice] = [0, 0];
  return times.map((atMs) => {
    const principalUnits = Number(current?.principalUsdcUnits ?? 0n);
    owedFeeUnits += (principalUnits * aprBps * (atMs - sinceMs)) / wholeBps / yearMs;
    sinceMs = atMs;
    for (let step = steps[nextStep]; step !== undefined && step.atMs <= atMs; step = steps[nextStep]) {
      owedFeeUnits = Number(step.owedFeeUsdcUnits);
      payoutUnits += Number(step.payoutUsdcUnits);
      current = step;
      nextStep += 1;
    }
    for (let point = lived[nextPrice]; point !== undefined && point.atMs <= atMs; point = lived[nextPrice]) {
      price = point.pips;
      nextPrice += 1;
    }
    const { tokenUnits = 0n, principalUsdcUnits = 0n } = current ?? {};
    const valuePips = (Number(tokenUnits) * price) / unitsPerToken;
    const equityPips = Math.max(0, valuePips - (Number(principalUsdcUnits) + owedFeeUnits) / unitsPerPip);
    return { atMs, value: equityPips + payoutUnits / unitsPerPip };
  });
}

interface Present {
  readonly steps: readonly LedgerStep[];
  readonly position: Pick<OpenPosition, 'current' | 'basis'>;
}

/**
 * Append the present equity of an open position. Nothing is appended while position and ledger have other tokens or
 * another loan: one of them is older.
 */
export function withPresent(past: readonly PlotPoint[], { steps, position }: Present): readonly PlotPoint[] {
  const [last, lastStep] = [past.at(-1), steps.at(-1)];
  const { current, basis } = position;
  if (last === undefined || lastStep?.tokenUnits !== BigInt(current.position_token_units)) return past;
  if (basis !== undefined && lastStep.principalUsdcUnits !== BigInt(basis.principal_usdc_units)) return past;
  const payoutUnits = steps.reduce((sum, step) => sum + step.payoutUsdcUnits, 0n);
  const value = Number(current.effective_collateral_usd_pips) + Number(payoutUnits) / unitsPerPip;
  return [...past, { atMs: last.atMs + 1_000, value }];
}
