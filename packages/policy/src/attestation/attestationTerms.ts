import type { AgedPrice, MarketSnapshot } from '@core/market';
import type { LivePurpose, Route, Side } from '@core/position';
import { type PricePips, type RateBps, type TokenUnits, type UsdcUnits, venueFeeShareBpsOf } from '@core/pricing';
import type { PolicyConfig } from '../config.ts';
import type { OwingSince } from '../market/hardExit.ts';

/** Purposes the price signer signs for. */
export type AttestedPurpose = LivePurpose;

/** The position as the chain shows it; the signer reads it itself. */
export interface AttestedPosition extends OwingSince {
  readonly tokenUnits: TokenUnits;
  /** Principal and fees owed now. */
  readonly debtUsdcUnits: UsdcUnits;
  /** The vault's liquidation price now; 0 without principal. */
  readonly liquidationPricePips: PricePips;
  /** Maximum fee rate of the venue's exchange now; 0 when it has none, null where it does not matter. */
  readonly maxVenueFeeBps: RateBps | null;
  /** Least price of the user for the close they asked for; 0 for none. */
  readonly closeMinPricePips: PricePips;
  /** Debt per token at which a planned rung is due; null for adaptive positions or when none is due. */
  readonly plannedTriggerPricePips: PricePips | null;
}

export interface AttestationRequest {
  /** `direct` when absent: a grant has another limit. */
  readonly route?: Route;
  readonly purpose: AttestedPurpose;
  readonly side: Side;
  /** Tokens to buy or sell with the order. */
  readonly tokenUnits: TokenUnits;
  /** Tokens of a grant's side that other grants of its batch sell first, from the best bids; 0 when absent. */
  readonly aheadTokenUnits?: TokenUnits;
  /** Null for an opening. */
  readonly position: AttestedPosition | null;
  /** An observation of the mid at least two seconds ago, for a liquidation; null when there is none. */
  readonly earlierMid: AgedPrice | null;
}

/** The market's part of a price attestation; market, token and time of observation are the signer's to add. */
export interface AttestationTerms {
  readonly kind: 'attestation';
  readonly markPricePips: PricePips;
  readonly limitPricePips: PricePips;
  /** Zero for a sale that may bring less than the debt, and for purposes that have no trigger. */
  readonly triggerPricePips: PricePips;
  readonly venueFeeBps: RateBps;
  readonly exitBufferBps: RateBps;
}

/** Causes for which no price is attested. `not_due`: the market is fine and the purpose does not apply. */
export type AttestationRefusalReason =
  | 'market_not_tradable'
  | 'trading_window_over'
  | 'fee_schedule_missing'
  | 'book_missing'
  | 'book_stale'
  | 'book_one_sided'
  | 'twap_unavailable'
  | 'twap_stale'
  | 'breaker_tripped'
  | 'size_too_small'
  | 'book_too_thin'
  | 'position_missing'
  | 'not_due'
  /** The odds may move too far in the life of an opening grant. */
  | 'jump_too_large'
  | 'unconfirmed';

export interface AttestationRefusal {
  readonly kind: 'refused';
  readonly reason: AttestationRefusalReason;
}

export function refused(reason: AttestationRefusalReason): AttestationRefusal {
  return { kind: 'refused', reason };
}

/** Return the terms of prices, with the fee's share at the price of the fee. */
export function termsOf(
  prices: { readonly mark: PricePips; readonly limit: PricePips; readonly trigger: PricePips; readonly fee: PricePips },
  snapshot: MarketSnapshot,
  config: PolicyConfig,
): AttestationTerms | AttestationRefusal {
  const schedule = snapshot.facts.venueFee;
  if (schedule === null) return refused('fee_schedule_missing');
  return {
    kind: 'attestation',
    markPricePips: prices.mark,
    limitPricePips: prices.limit,
    triggerPricePips: prices.trigger,
    venueFeeBps: venueFeeShareBpsOf({ pricePips: prices.fee, schedule }),
    exitBufferBps: config.model.exitBufferBps,
  };
}
