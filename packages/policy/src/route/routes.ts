import type { MarketFacts } from '@core/market';
import type { ExecutionConfig, Route } from '@core/position';
import type { PricePips, RateBps, VenueFeeSchedule } from '@core/pricing';
import type { FillerCost, PolicyConfig } from '../config.ts';
import { type GrantKind, saleEdgeOf } from '../fill/grantBand.ts';
import { minimumSaleLimitOf } from '../market/minimumSaleLimit.ts';
import { type BuyLimitInputs, grantBuyLimitOf, orderBuyLimitOf } from './buyLimit.ts';

/** Sale at a mark: its kind in a grant, and the slip of an order. */
export interface MarkedSale {
  readonly kind: GrantKind;
  readonly slipBps: RateBps;
  readonly markPricePips: PricePips;
  /** Null while the fee of the market is unknown. */
  readonly venueFee: VenueFeeSchedule | null;
}

/** Rules in which routes differ. */
export interface RouteRules {
  /** Ledgers whose outcomes it trades. */
  readonly ledgers: readonly MarketFacts['ledger'][];
  /** True where fillers take its grants and price signers end them; false where its orders walk the venue's book. */
  readonly hasFillers: boolean;
  /** True where an order without a fill was too large for the book; fillers take parts of a grant. */
  readonly countsKilled: boolean;
  /** True where a sale may pay the highest fee of the exchange; a grant pays its attested fee part and no more. */
  readonly paysExchangeFee: boolean;
  /** Return the limit of an opening; null where the asks do not have its size within the bounds. */
  readonly buyLimitOf: (inputs: BuyLimitInputs) => PricePips | null;
  /** Return the lowest limit of a sale, and the cost of its filler; null without one. */
  readonly saleBoundsOf: (
    sale: MarkedSale,
    config: PolicyConfig,
  ) => { readonly lowestPricePips: PricePips; readonly fillerCost: FillerCost | null };
  /** Return the attempts of its orders. */
  readonly executionOf: (config: PolicyConfig) => ExecutionConfig;
}

/** The one table of routes. A further route is a name and a row. */
export const routes: Readonly<Record<Route, RouteRules>> = {
  direct: {
    // The vault gives a position in the PositionManager no account, which an order needs.
    ledgers: ['conditional_tokens'],
    hasFillers: false,
    countsKilled: true,
    paysExchangeFee: true,
    buyLimitOf: orderBuyLimitOf,
    saleBoundsOf: ({ markPricePips, slipBps }) => ({
      lowestPricePips: minimumSaleLimitOf(markPricePips, slipBps),
      fillerCost: null,
    }),
    executionOf: ({ execution }) => execution,
  },
  fill: {
    ledgers: ['conditional_tokens', 'position_manager'],
    hasFillers: true,
    countsKilled: false,
    paysExchangeFee: false,
    buyLimitOf: grantBuyLimitOf,
    saleBoundsOf: ({ kind, markPricePips, venueFee }, { grant }) => ({
      lowestPricePips:
        venueFee === null
          ? minimumSaleLimitOf(markPricePips, grant.bandBps[kind])
          : saleEdgeOf(kind, { markPricePips, venueFee }, grant),
      fillerCost: grant.fillerCost,
    }),
    // Fewer grants than orders are tried for an opening: each is a free option.
    executionOf: ({ execution, grant: { maxOpenAttempts } }) => ({
      ...execution,
      maxOpenAttempts,
      maxPartialAttempts: maxOpenAttempts,
    }),
  },
};
