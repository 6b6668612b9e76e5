import { displayMarkOf, type Side, sideOf } from '@core/policy';
import { type PricePips, pricePips } from '@core/pricing';
import type { MarketRecord } from '@core/store';
import type { ObservedMarket } from '../observe/marketDirectory.ts';

/** A payout vector in which both outcomes are worth the same: the market was voided. */
export function isVoided(market: Pick<MarketRecord, 'payoutNumerators' | 'payoutDenominator'>): boolean {
  const [yes, no] = market.payoutNumerators;
  return market.payoutDenominator !== null && yes !== undefined && yes === no;
}

/**
 * The mark a position is shown at: what its token pays once payouts are known, else the mid of its own book, the last
 * valid one when a side is missing. Null when no mid was ever seen.
 */
export function positionMarkOf(market: ObservedMarket | null, side: Side): PricePips | null {
  if (market === null) return null;
  const { record, snapshot } = market;
  const payout = record.payoutNumerators[side === 'yes' ? 0 : 1];
  if (record.payoutDenominator !== null && payout !== undefined) {
    return pricePips((payout * 10_000n) / record.payoutDenominator);
  }
  return snapshot === null ? null : displayMarkOf(sideOf(snapshot, side));
}
