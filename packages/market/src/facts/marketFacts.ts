import type { Side } from '@core/position';
import type { PricePips, UsdPips, VenueFeeSchedule } from '@core/pricing';
import type { MarketStatus } from '../record/market.ts';
import type { OutcomeLedger } from '../record/protocol.ts';
import type { CryptoCadence, CryptoSettlement, MarketCategory, Sport, SportLine } from '../subject.ts';

export interface CryptoFacts {
  readonly kind: 'crypto';
  /** Upper-case symbol of the underlying, for example `BTC`. */
  readonly asset: string;
  readonly cadence: CryptoCadence;
  /** Absent for a market whose rule was not read. */
  readonly settlement?: CryptoSettlement;
  /** True when a spot feed exists for `asset`. */
  readonly isAssetSupported: boolean;
}

export interface SportFacts {
  readonly kind: 'sport';
  readonly sport: Sport;
  /** The venue's own value for the sport, echoed in `params.sport`. */
  readonly sportName: string;
  readonly line: SportLine;
  /** The venue's own value for the line, echoed in `params.market_type`. */
  readonly marketType: string;
  readonly gameStartAtMs: number;
}

/**
 * Everything a decision needs to know about a market that does not change with every tick.
 * `venue`'s catalogue builds it; tokens or the condition may be missing in a venue record.
 */
export interface MarketFacts {
  /** `mkt_…`, echoed in `params.market_id`. */
  readonly marketId: string;
  /** Equal to the venue's slug. */
  readonly ticker: string;
  readonly category: MarketCategory;
  readonly status: MarketStatus;
  readonly conditionId: string | null;
  readonly yesTokenId: string | null;
  readonly noTokenId: string | null;
  /** Contract that holds the tokens. Those of the PositionManager trade by grants alone. */
  readonly ledger: OutcomeLedger;
  /** Neg-risk markets use another collateral and exchange: listed, never eligible. */
  readonly isNegRisk: boolean;
  /** The venue's record says `closed`. */
  readonly isVenueClosed: boolean;
  /** The venue's record says `active` and is not archived. */
  readonly isVenueActive: boolean;
  /** `acceptingOrders` and an order book exists. */
  readonly isAcceptingOrders: boolean;
  /** Payouts known, `market_resolved` seen, or a resolution proposed. */
  readonly isSettlementDetected: boolean;
  /** Payout per token that the venue has determined, until it is on chain; null while the outcome is open. */
  readonly determinedPrices: Readonly<Record<Side, PricePips>> | null;
  /** The operator switched the market off; `reason` goes into `params.reason` when it is set. */
  readonly disabled: { readonly reason: string | null } | null;
  /** `high` when something outside the model makes the market unsafe, for example an oracle under watch. */
  readonly riskLevel: 'low' | 'high';
  /** Null for an unsupported category. */
  readonly subject: CryptoFacts | SportFacts | null;
  /** Time of the resolution; of a running game its start plus typical length when that is later. */
  readonly closeAtMs: number | null;
  readonly volume24hUsdPips: UsdPips | null;
  readonly openInterestUsdPips: UsdPips | null;
  /** Null when the venue charges fees but published no schedule: such a market fails closed. */
  readonly venueFee: VenueFeeSchedule | null;
  /** Venue price step, whole pips (0.0001 USD = 1). */
  readonly tickPricePips: PricePips;
}
