import type { MarketSnapshot, SideSnapshot } from '@core/market';
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
import { type ContractTerms, chargedFeesOf } from '../partner/contractTerms.ts';
import type { PartnerTerms } from '../partner/partnerTerms.ts';
import type { MarketView } from './capacityMax.ts';
import { decideEligibility, type Eligibility } from './decideEligibility.ts';
import { freshBookOf, type MarketLimits, marketLimitsOf, slippageMaxOf } from './marketLimits.ts';

/** Best prices of both books; null where a book is unknown, outdated or has no such side. */
export interface MarketPrices {
  readonly yesAskPricePips: PricePips | null;
  readonly yesBidPricePips: PricePips | null;
  readonly noAskPricePips: PricePips | null;
  readonly noBidPricePips: PricePips | null;
}

type SideBook = Pick<SideSnapshot, 'book' | 'bookAgeMs'>;

/** Everything a market shows to one partner at one moment (specification, Resources, Market; definitions 3). */
export interface MarketFigures {
  readonly eligibility: Eligibility;
  /** True when at least one side accepts new positions. */
  readonly isAccepting: boolean;
  readonly limits: MarketLimits;
  readonly originationTiers: readonly OriginationTier[];
  /** Null without recent data on either side. */
  readonly prices: MarketPrices | null;
}

export function marketFiguresOf(view: MarketView, contract: ContractTerms): MarketFigures {
  const eligibility = decideEligibility(view);
  const limits = marketLimitsOf(view, eligibility);
  return {
    eligibility,
    isAccepting: eligibility.yes === null || eligibility.no === null,
    limits,
    originationTiers: shownTiersOf(view.terms, contract),
    prices: marketPricesOf(view.snapshot, view.config ?? policyDefaults),
  };
}

/**
 * Slippage maximum of both sides together, an unknown one counting nothing: what `depth_desc` sorts by. The same to
 * every partner.
 */
export function depthOf(yes: SideBook, no: SideBook, config: PolicyConfig = policyDefaults): UsdPips {
  const unknown = usdPips(0n);
  return add(slippageMaxOf(yes, config) ?? unknown, slippageMaxOf(no, config) ?? unknown);
}

/** Shown tiers: protocol tier plus partner rate, at most what the vault allows. */
export function shownTiersOf({ fees }: Pick<PartnerTerms, 'fees'>, contract: ContractTerms) {
  return shownOriginationTiersOf(chargedFeesOf(fees, contract));
}

/** Return the best prices of a market's fresh books; null when neither book is fresh. */
export function marketPricesOf(
  snapshot: Pick<MarketSnapshot, 'yes' | 'no'>,
  config: PolicyConfig,
): MarketPrices | null {
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
