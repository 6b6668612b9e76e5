import { type SideSnapshot, sideOf } from '@core/market';
import type { Side } from '@core/position';
import {
  clearableNotionalOf,
  constants,
  leverageBps,
  maxNotionalOf,
  type OrderBook,
  type SideLeverage,
  sideLeverageOf,
  type UsdPips,
  usdPips,
} from '@core/pricing';
import type { PolicyConfig } from '../config.ts';
import { policyDefaults } from '../defaults.ts';
import { sideModelOf } from '../leverage/sideModel.ts';
import { availableNotionalOf } from '../partner/notionalLimits.ts';
import { sizeMarketOf } from '../quote/sizeMarket.ts';
import { capacityMaxOf, type MarketView } from './capacityMax.ts';
import type { Eligibility } from './decideEligibility.ts';
import { grantedMaxOf } from './grantedMax.ts';

/** Figures a market shows about one side (definitions 3). */
export interface SideLimits extends SideLeverage {
  /** clear(1000); null without a fresh book. */
  readonly slippageMaxNotionalUsdPips: UsdPips | null;
  /** Null when usage or chain are unknown. */
  readonly capacityMaxNotionalUsdPips: UsdPips | null;
  /**
   * Granted unchanged at the minimum leverage, within the limits of slippage, capacity, partner and user. 0 when the
   * side is closed, null exactly when the capacity is.
   */
  readonly maxNotionalUsdPips: UsdPips | null;
}

export interface MarketLimits {
  readonly yes: SideLimits;
  readonly no: SideLimits;
}

const none = leverageBps(0n);

/** Leverage of a side that cannot be priced: no size is granted. */
const noLeverage: SideLeverage = {
  maxSideBps: none,
  at100Usd: none,
  at500Usd: none,
  at1000Usd: none,
  at10000Usd: none,
};

/** Leverage and notional limits of both sides, as a market with that eligibility shows them to one partner. */
export function marketLimitsOf(view: MarketView, eligibility: Pick<Eligibility, Side>): MarketLimits {
  return {
    yes: sideLimitsOf(view, 'yes', eligibility.yes === null),
    no: sideLimitsOf(view, 'no', eligibility.no === null),
  };
}

function sideLimitsOf(view: MarketView, side: Side, isSideOpen: boolean): SideLimits {
  const { snapshot, terms } = view;
  const config = view.config ?? policyDefaults;
  // A side that is closed still shows its leverage: the reason code says why it is closed, the figures how far it is.
  const model = sideModelOf(snapshot, side, { terms, config });
  const leverage = model === null ? noLeverage : sideLeverageOf(sizeMarketOf(model, terms));
  const slippageMax = slippageMaxOf(sideOf(snapshot, side), config);
  const capacity = capacityMaxOf(view, side, leverage.maxSideBps);
  const minimumLimit = maxNotionalOf({
    isSideOpen,
    slippageMaxUsdPips: slippageMax,
    capacityMaxUsdPips: capacity,
    partnerRemainingUsdPips: partnerRemainingOf(view),
    // As for a wallet without positions.
    userLimitUsdPips: terms.limits.userNotionalUsdPips,
  });
  return {
    ...leverage,
    slippageMaxNotionalUsdPips: slippageMax,
    capacityMaxNotionalUsdPips: capacity,
    maxNotionalUsdPips:
      minimumLimit === null || model === null || !isSideOpen
        ? minimumLimit
        : grantedMaxOf(view, side, { model, leverage, limitUsdPips: minimumLimit }),
  };
}

/** Books are immutable and replaced by new ones: each is walked once for all callers. */
const clearable = new WeakMap<OrderBook, UsdPips>();

/** Return the notional that clears on a side at the widest slippage, clear(1000); null without a fresh book. */
export function slippageMaxOf(side: Pick<SideSnapshot, 'book' | 'bookAgeMs'>, config: PolicyConfig): UsdPips | null {
  const book = freshBookOf(side, config);
  if (book === null) return null;
  const cached = clearable.get(book);
  if (cached !== undefined) return cached;
  const notional = clearableNotionalOf({ asks: book.asks, slippageBps: constants.maxSlippageBps });
  clearable.set(book, notional);
  return notional;
}

/** The book of a side while it is young enough to be believed. */
export function freshBookOf(
  { book, bookAgeMs }: Pick<SideSnapshot, 'book' | 'bookAgeMs'>,
  config: PolicyConfig,
): OrderBook | null {
  return bookAgeMs !== null && bookAgeMs <= config.ages.maxBookAgeMs ? book : null;
}

/** Return the remainder of the partner's cap; zero when usage is unknown, where no maximum is shown anyway. */
function partnerRemainingOf({ usage, terms }: MarketView): UsdPips {
  if (usage === null) return usdPips(0n);
  const limitUsdPips = terms.limits.partnerNotionalUsdPips;
  return availableNotionalOf({ scope: 'partner', limitUsdPips, usage: usage.partner });
}
