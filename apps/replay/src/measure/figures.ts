import { type Interval, intervalOf } from './bootstrap.ts';
import type { CandidateRecord, LifeRecord } from './lifeRecord.ts';

/** Figures of a group of lives. Shares are of one; percentages are of the borrow. */
export interface Figures {
  readonly lifeCount: number;
  readonly borrowUsd: number;
  readonly lossPct: Interval;
  /** Half of the origination fee less the loss. */
  readonly netPct: Interval;
  /** 70 % of a fee of 1 % of the borrow, less the loss. */
  readonly netOnBorrowPct: Interval;
  readonly liquidatedShare: number;
  readonly unwoundShare: number;
  readonly forcedOutShare: number;
  readonly dueWithin5MinutesShare: number;
  readonly dueWithin15MinutesShare: number;
  readonly dueWithin60MinutesShare: number;
  readonly winnersWithDebtShare: number;
  readonly failedShare: number;
  /** Received over paid. */
  readonly userMean: number;
  readonly userMedian: number;
  readonly userOriginationPct: number;
  /** Share of sale grants with a fill; NaN without a grant. */
  readonly filledSaleGrantShare: number;
  readonly liquidatedInFinalHourShare: number;
  /** Largest fall of a user's equity while debt was owed, on average. */
  readonly maximumDrawdownMean: number;
  /** Share of positions on which the pool lost. */
  readonly badDebtShare: number;
  readonly worstCluster: { readonly clusterId: string; readonly lossUsd: number; readonly borrowUsd: number } | null;
}

export interface OfferedFigures {
  readonly sideCount: number;
  readonly averageLeverage: Interval;
  readonly share: Interval;
  /** Shares of quoted sides: opened at all, and by the first grant. */
  readonly openedShare: number;
  readonly openedByFirstGrantShare: number;
}

const reserveShare = 0.5;
const onBorrow = { feeShare: 0.01, reserveShare: 0.7 };

export function figuresOf(lives: readonly LifeRecord[]): Figures {
  const count = lives.length;
  const share = (holds: (life: LifeRecord) => boolean): number => lives.filter(holds).length / Math.max(1, count);
  const dueWithin = (minutes: number): number =>
    share(({ toTriggerMinutes }) => toTriggerMinutes !== null && toTriggerMinutes <= minutes);
  const winners = lives.filter((life) => life.isWinner);
  const percent = (gain: (life: LifeRecord) => number): Interval =>
    intervalOf(lives, { clusterOf: (life) => life.clusterId, dividend: (life) => 100 * gain(life), divisor: borrowOf });
  const paidUsd = sum(lives, (life) => life.paidUsd);
  return {
    lifeCount: count,
    borrowUsd: sum(lives, borrowOf),
    lossPct: percent((life) => life.lossUsd),
    netPct: percent((life) => reserveShare * life.originationUsd - life.lossUsd),
    netOnBorrowPct: percent((life) => onBorrow.reserveShare * onBorrow.feeShare * life.borrowUsd - life.lossUsd),
    liquidatedShare: share((life) => life.isLiquidated),
    unwoundShare: share((life) => life.isUnwound),
    forcedOutShare: share((life) => life.isForcedOut),
    dueWithin5MinutesShare: dueWithin(5),
    dueWithin15MinutesShare: dueWithin(15),
    dueWithin60MinutesShare: dueWithin(60),
    winnersWithDebtShare: winners.filter((life) => life.hadDebtAtResolution).length / Math.max(1, winners.length),
    failedShare: share((life) => life.failedCount > 0),
    userMean: sum(lives, (life) => life.receivedUsd) / Math.max(1e-9, paidUsd),
    userMedian: medianOf(lives.map((life) => life.receivedUsd / life.paidUsd)),
    userOriginationPct: (100 * sum(lives, (life) => life.originationUsd)) / Math.max(1e-9, paidUsd),
    filledSaleGrantShare: sum(lives, (life) => life.filledSaleGrantCount) / sum(lives, (life) => life.saleGrantCount),
    liquidatedInFinalHourShare: share((life) => life.isLiquidatedInFinalHour),
    maximumDrawdownMean: sum(lives, (life) => life.maximumDrawdown) / Math.max(1, count),
    badDebtShare: share((life) => life.lossUsd > 0),
    worstCluster: worstClusterOf(lives),
  };
}

export function offeredFiguresOf(candidates: readonly CandidateRecord[]): OfferedFigures {
  const mean = (value: (candidate: CandidateRecord) => number): Interval =>
    intervalOf(candidates, { clusterOf: ({ clusterId }) => clusterId, dividend: value, divisor: () => 1 });
  const quoted = candidates.filter(({ leverage }) => leverage > 1);
  const openedShare = (holds: (grantCount: number) => boolean): number =>
    quoted.filter(({ grantCount }) => grantCount !== null && holds(grantCount)).length / Math.max(1, quoted.length);
  return {
    sideCount: candidates.length,
    averageLeverage: mean(({ leverage }) => leverage),
    share: mean(({ leverage }) => (leverage > 1 ? 1 : 0)),
    openedShare: openedShare(() => true),
    openedByFirstGrantShare: openedShare((grantCount) => grantCount <= 1),
  };
}

const borrowOf = (life: LifeRecord): number => life.borrowUsd;

function sum(lives: readonly LifeRecord[], value: (life: LifeRecord) => number): number {
  let total = 0;
  for (const life of lives) total += value(life);
  return total;
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function worstClusterOf(lives: readonly LifeRecord[]): Figures['worstCluster'] {
  const clusters = new Map<string, { clusterId: string; lossUsd: number; borrowUsd: number }>();
  for (const { clusterId, lossUsd, borrowUsd } of lives) {
    const cluster = clusters.get(clusterId) ?? { clusterId, lossUsd: 0, borrowUsd: 0 };
    clusters.set(clusterId, cluster);
    cluster.lossUsd += lossUsd;
    cluster.borrowUsd += borrowUsd;
  }
  return [...clusters.values()].toSorted((a, b) => b.lossUsd - a.lossUsd)[0] ?? null;
}
