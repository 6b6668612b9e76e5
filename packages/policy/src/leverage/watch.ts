import { oneE12 } from '@core/market';
import {
  type OrderBook,
  type PricePips,
  pricePips,
  raw,
  type TokenUnits,
  tokenUnits,
  type UsdcUnits,
  type VenueFeeSchedule,
} from '@core/pricing';
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
  /** The hard exit is in force: no debt may stay. */
  readonly isHardExitInForce: boolean;
}

/** Debt against covered value, all per token and scaled by 1e12. */
export interface WatchReading {
  /** d = D / n, rounded up. */
  readonly debtE12: bigint;
  /** e of selling the whole position into the live book. */
  readonly netValueE12: bigint;
  /** c */
  readonly coveredValueE12: bigint;
  /** d > c, or debt while the hard exit is in force. Then the whole debt goes. */
  readonly isUnwindDue: boolean;
}

const noTokens = tokenUnits(0n);

/** d of a position, rounded up. @throws RangeError without tokens. */
export function debtPerTokenOf(debt: UsdcUnits, tokens: TokenUnits): bigint {
  const amount = raw(tokens);
  return (raw(debt) * oneE12 + amount - 1n) / amount;
}

/**
 * Read a position as the risk policy does: with d ≤ c nothing is sold, with d > c the whole debt is repaid. A part of
 * it would save less than it costs: on recorded markets a first step was followed by another sale more often than not.
 */
export function readWatch(inputs: WatchInputs): WatchReading {
  const sale = averageSalePriceOf({ bids: inputs.book.bids, tokens: inputs.tokens, ahead: noTokens });
  const netValueE12 = netSaleValueOf(sale, inputs.venueFee);
  const coveredValueE12 = coveredValueOf(netValueE12, inputs.shockE12);
  const debtE12 = debtPerTokenOf(inputs.debtUsdcUnits, inputs.tokens);
  const hasDebt = raw(inputs.debtUsdcUnits) > 0n;
  return {
    debtE12,
    netValueE12,
    coveredValueE12,
    isUnwindDue: hasDebt && (inputs.isHardExitInForce || debtE12 > coveredValueE12),
  };
}

/** A covered value in whole pips, rounded up: what the trigger of an unwind attestation carries. */
export function toTriggerPips(coveredValueE12: bigint): PricePips {
  const pipE12 = pipsToE12(1n);
  return pricePips((coveredValueE12 + pipE12 - 1n) / pipE12);
}
