import {
  type BookLevel,
  type OrderBook,
  type PricePips,
  pricePips,
  raw,
  type TokenUnits,
  tokenUnits,
  type UsdcUnits,
  type VenueFeeSchedule,
} from '@core/pricing';
import type { PolicyConfig } from '../config.ts';
import { oneE12 } from '../math/fixedPoint.ts';
import { coveredValueOf } from './oddsShock.ts';
import { averageSalePriceOf, netSaleValueOf, pipsToE12 } from './saleValue.ts';

/** A leveraged position in front of a live book. */
export interface WatchInputs {
  readonly book: OrderBook;
  readonly tokens: TokenUnits;
  /** Principal and fees owed. */
  readonly debtUsdcUnits: UsdcUnits;
  /** X of now. */
  readonly shockE12: bigint;
  readonly venueFee: VenueFeeSchedule;
  /** The deadline of the category is over: no debt may stay. */
  readonly isPastHardExit: boolean;
}

/** Debt against covered value, all per token and scaled by 1e12. */
export interface WatchReading {
  /** d = D / n, rounded up. */
  readonly debtE12: bigint;
  /** e of selling the whole position into the live book. */
  readonly netValueE12: bigint;
  /** c */
  readonly coveredValueE12: bigint;
  /** d' = e − 2(e − c); zero when the whole debt goes. */
  readonly targetDebtE12: bigint;
  /** d > c, or debt past the hard exit. */
  readonly isUnwindDue: boolean;
}

const noTokens = tokenUnits(0n);

/** d of a position, rounded up. @throws RangeError without tokens. */
export function debtPerTokenOf(debt: UsdcUnits, tokens: TokenUnits): bigint {
  const amount = raw(tokens);
  return (raw(debt) * oneE12 + amount - 1n) / amount;
}

/**
 * Reads a position as the risk policy does: with d ≤ c nothing is sold; with d > c debt goes down to d', or to nothing
 * when d' would be a third of the net value or less.
 */
export function readWatch(inputs: WatchInputs, config: PolicyConfig): WatchReading {
  const sale = averageSalePriceOf({ bids: inputs.book.bids, tokens: inputs.tokens, ahead: noTokens });
  const netValueE12 = netSaleValueOf(sale, inputs.venueFee);
  const coveredValueE12 = coveredValueOf(netValueE12, inputs.shockE12);
  const debtE12 = debtPerTokenOf(inputs.debtUsdcUnits, inputs.tokens);
  const hasDebt = raw(inputs.debtUsdcUnits) > 0n;
  const halfwayE12 = netValueE12 - 2n * (netValueE12 - coveredValueE12);
  const leastE12 = (netValueE12 * raw(config.model.fullExitShareBps)) / 10_000n;
  const isFullExit = inputs.isPastHardExit || halfwayE12 <= leastE12;
  return {
    debtE12,
    netValueE12,
    coveredValueE12,
    targetDebtE12: isFullExit ? 0n : halfwayE12,
    isUnwindDue: hasDebt && (inputs.isPastHardExit || debtE12 > coveredValueE12),
  };
}

/** Largest number of tokens the bids take at or above a price, each level in full. */
export function sellableTokensOf(bids: readonly BookLevel[], leastPricePips: PricePips): TokenUnits {
  let tokens = 0n;
  for (const level of bids) {
    if (raw(level.pricePips) < raw(leastPricePips)) break;
    tokens += raw(level.sizeTokenUnits);
  }
  return tokenUnits(tokens);
}

/** Lowest whole price at which a sale may be made: mark × (1 − slip), rounded up. */
export function leastLimitOf(markPricePips: PricePips, config: PolicyConfig): PricePips {
  const scaled = raw(markPricePips) * (10_000n - raw(config.model.slipBps));
  return pricePips((scaled + 9_999n) / 10_000n);
}

/** A covered value in whole pips, rounded up: what the trigger of an unwind attestation carries. */
export function toTriggerPips(coveredValueE12: bigint): PricePips {
  const pipE12 = pipsToE12(1n);
  return pricePips((coveredValueE12 + pipE12 - 1n) / pipE12);
}
