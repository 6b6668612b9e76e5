import {
  add,
  bestAskOf,
  bestBidOf,
  type OriginationTier,
  type PricePips,
  shownOriginationTiersOf,
  type UsdPips,
  usdPips,
} from '@core/pricing';
import type { PolicyConfig } from '../config.ts';
import { policyDefaults } from '../defaults.ts';
import type { MarketSnapshot } from '../market/marketSnapshot.ts';
import { type ContractTerms, chargedFeesOf } from '../partner/contractTerms.ts';
import type { PartnerTerms } from '../partner/partnerTerms.ts';
import type { MarketView } from './capacityMax.ts';
import { decideEligibility, type Eligibility } from './decideEligibility.ts';
import { freshBookOf, type MarketLimits, marketLimitsOf } from './marketLimits.ts';

/** Best prices of both books; null where a book is unknown, outdated or has no such side. */
export interface MarketPrices {
  readonly yesAskPricePips: PricePips | null;
  readonly yesBidPricePips: PricePips | null;
  readonly noAskPricePips: PricePips | null;
  readonly noBidPricePips: PricePips | null;
}

/** Everything a market shows to one partner at one moment (specification, Resources, Market; definitions 3). */
export interface MarketFigures {
  readonly eligibility: Eligibility;
  /** True when at least one side accepts new positions. */
  readonly isAccepting: boolean;
  readonly limits: MarketLimits;
  /** Slippage maximum of both sides together, an unknown one counting nothing: what `depth_desc` sorts by. */
  readonly depthUsdPips: UsdPips;
  readonly originationTiers: readonly OriginationTier[];
  /** Null without recent data on either side. */
  readonly prices: MarketPrices | null;
}

export function marketFiguresOf(view: MarketView, contract: ContractTerms): MarketFigures {
  const eligibility = decideEligibility(view);
  const limits = marketLimitsOf(view);
  const unknown = usdPips(0n);
  return {
    eligibility,
    isAccepting: eligibility.yes === null || eligibility.no === null,
    limits,
    depthUsdPips: add(
      limits.yes.slippageMaxNotionalUsdPips ?? unknown,
      limits.no.slippageMaxNotionalUsdPips ?? unknown,
    ),
    originationTiers: shownTiersOf(view.terms, contract),
    prices: pricesOf(view.snapshot, view.config ?? policyDefaults),
  };
}

/** Shown tiers: protocol tier plus partner rate, at most what the vault allows. */
export function shownTiersOf({ fees }: Pick<PartnerTerms, 'fees'>, contract: ContractTerms) {
  return shownOriginationTiersOf(chargedFeesOf(fees, contract));
}

function pricesOf(snapshot: MarketSnapshot, config: PolicyConfig): MarketPrices | null {
  const yes = freshBookOf(snapshot.yes, config);
  const no = freshBookOf(snapshot.no, config);
  if (yes === null && no === null) return null;
  return {
    yesAskPricePips: yes === null ? null : bestAskOf(yes),
    yesBidPricePips: yes === null ? null : bestBidOf(yes),
    noAskPricePips: no === null ? null : bestAskOf(no),
    noBidPricePips: no === null ? null : bestBidOf(no),
  };
}
