import { type Quantity, raw } from '@core/pricing';
import type { Phase } from '../life/entry.ts';
import type { Life } from '../life/live.ts';
import type { RecordedMarket } from '../recording/recordedMarket.ts';

/** A life in plain numbers for statistics: money in USD, prices in USD per token. */
export interface LifeRecord {
  readonly phase: Phase;
  readonly clusterId: string;
  readonly className: string;
  readonly entryPrice: number;
  readonly leftMinutes: number;
  readonly leverage: number;
  readonly borrowUsd: number;
  readonly originationUsd: number;
  readonly lossUsd: number;
  readonly paidUsd: number;
  readonly receivedUsd: number;
  readonly isLiquidated: boolean;
  readonly isUnwound: boolean;
  readonly isForcedOut: boolean;
  /** Null when nothing was ever due. */
  readonly toTriggerMinutes: number | null;
  readonly isWinner: boolean;
  readonly hadDebtAtResolution: boolean;
  readonly saleCount: number;
  readonly failedCount: number;
  readonly saleGrantCount: number;
  readonly filledSaleGrantCount: number;
  readonly isLiquidatedInFinalHour: boolean;
  /** Share of the highest equity. */
  readonly maximumDrawdown: number;
}

/** One side of one row for which leverage was requested. */
export interface CandidateRecord {
  readonly phase: Phase;
  readonly clusterId: string;
  /** One when refused. */
  readonly leverage: number;
  /** Grants that its opening took, 0 by order; null when nothing was opened. */
  readonly grantCount: number | null;
}

const finalHourSeconds = 3_600;

const usdOf = (units: Quantity): number => Number(raw(units)) / 1_000_000;

export function recordOf(market: RecordedMarket, life: Life): LifeRecord {
  const { entry, account, exits } = life;
  return {
    phase: entry.phase,
    clusterId: market.clusterId,
    className: market.className,
    entryPrice: Number(raw(entry.entryPricePips)) / 10_000,
    leftMinutes: entry.leftSeconds / 60,
    leverage: Number(raw(entry.leverageBps)) / 10_000,
    borrowUsd: usdOf(entry.borrowUsdcUnits),
    originationUsd: usdOf(entry.originationUsdcUnits),
    lossUsd: usdOf(account.badDebtUsdcUnits),
    paidUsd: usdOf(entry.paidUsdcUnits),
    receivedUsd: usdOf(account.userUsdcUnits),
    isLiquidated: exits.includes('liquidation'),
    isUnwound: exits.includes('cover'),
    isForcedOut: exits.includes('hard_exit'),
    toTriggerMinutes: life.toTriggerSeconds === null ? null : life.toTriggerSeconds / 60,
    isWinner: life.isWinner,
    hadDebtAtResolution: life.hadDebtAtResolution,
    saleCount: exits.length,
    failedCount: life.failedCount,
    saleGrantCount: life.saleGrantCount,
    filledSaleGrantCount: life.filledSaleGrantCount,
    isLiquidatedInFinalHour:
      life.liquidatedBeforeEndSeconds !== null && life.liquidatedBeforeEndSeconds <= finalHourSeconds,
    maximumDrawdown: life.maximumDrawdown,
  };
}
