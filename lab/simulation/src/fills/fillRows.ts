import { Purpose } from '@core/vault';
import type { Hex } from 'viem';
import type { MarketKind } from '../world/markets.ts';
import { type FillCounts, fillCountsOf, type GrantTry } from './grantTries.ts';

export const fillSteps = ['opening', 'close', 'unwind', 'liquidation'] as const;
export type FillStep = (typeof fillSteps)[number];

const purposes: Readonly<Record<FillStep, number>> = {
  opening: Purpose.Open,
  close: Purpose.Close,
  unwind: Purpose.Unwind,
  liquidation: Purpose.Liquidate,
};

/** One line of a measurement: a step of positions in markets of one kind, or of all. */
export interface FillRow extends FillCounts {
  readonly market: MarketKind | 'all';
  readonly step: FillStep;
}

/** A step that a user asked for, or that a fall of the price demands. */
export interface AskedStep {
  readonly market: MarketKind;
  readonly step: FillStep;
  /** Position; null when there was not even a quote. */
  readonly key: Hex | null;
}

/** Everything that a measurement counts. */
export interface MeasuredFills {
  readonly tries: readonly GrantTry[];
  /** Kinds of the markets of all positions that count, by key. */
  readonly markets: ReadonlyMap<Hex | null, MarketKind>;
  readonly asked: readonly AskedStep[];
}

/** Return the row of a step in the markets of some kinds. */
export function fillRowOf(
  { tries, markets, asked }: MeasuredFills,
  { market, step }: Pick<FillRow, 'market' | 'step'>,
): FillRow {
  const isCounted = (kind: MarketKind | undefined): boolean =>
    kind !== undefined && (market === 'all' || market === kind);
  const counted = tries.filter(({ key, purpose }) => purpose === purposes[step] && isCounted(markets.get(key)));
  const granted = new Set<Hex | null>(counted.map(({ key }) => key));
  const ungranted = asked.filter((one) => one.step === step && isCounted(one.market) && !granted.has(one.key));
  return { market, step, ...fillCountsOf(counted, ungranted.length) };
}

/** Return a row as text. */
export function fillLineOf({ market, step, due, first, second, later, never, p50, p95 }: FillRow): string {
  const counts = `due ${due}, first ${first}, second ${second}, later ${later}, never ${never}`;
  return `fills ${market} ${step}: ${counts}, p50 ${p50 ?? '-'} s, p95 ${p95 ?? '-'} s`;
}
