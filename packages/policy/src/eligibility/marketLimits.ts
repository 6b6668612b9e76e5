import {
  clearableNotionalOf,
  constants,
  type LeverageBps,
  leverageBps,
  maxNotionalOf,
  type OrderBook,
  type UsdPips,
  usdPips,
} from '@core/pricing';
import type { PolicyConfig } from '../config.ts';
import { policyDefaults } from '../defaults.ts';
import { leverageLimitOf, type SideModel, sideModelOf } from '../leverage/sideModel.ts';
import type { Side } from '../market/marketFacts.ts';
import { type SideSnapshot, sideOf } from '../market/marketSnapshot.ts';
import { availableNotionalOf } from '../partner/notionalLimits.ts';
import { capacityMaxOf, type MarketView } from './capacityMax.ts';
import { sideReasonOf } from './sideReason.ts';

/** Leverage of one side at the listed notionals; zero where none is allowed. */
export interface SideLeverage {
  readonly maxSideBps: LeverageBps;
  readonly at100Usd: LeverageBps;
  readonly at500Usd: LeverageBps;
  readonly at1000Usd: LeverageBps;
  readonly at10000Usd: LeverageBps;
}

/** What a market shows about one side (definitions 3). */
export interface SideLimits extends SideLeverage {
  /** clear(1000); null without a fresh book. */
  readonly slippageMaxNotionalUsdPips: UsdPips | null;
  /** Null when usage or chain are unknown. */
  readonly capacityMaxNotionalUsdPips: UsdPips | null;
  /** 0 when the side is closed, null exactly when the capacity is. */
  readonly maxNotionalUsdPips: UsdPips | null;
}

export interface MarketLimits {
  readonly yes: SideLimits;
  readonly no: SideLimits;
}

const noLeverage = leverageBps(0n);

/** Leverage and notional limits of both sides, as a market shows them to one partner. */
export function marketLimitsOf(view: MarketView): MarketLimits {
  return { yes: sideLimitsOf(view, 'yes'), no: sideLimitsOf(view, 'no') };
}

function leverageOfSide(model: SideModel | null, minNotional: UsdPips): SideLeverage {
  const { at100Usd, at500Usd, at1000Usd, at10000Usd } = constants.leverageBucketsUsdPips;
  const at = (notional: UsdPips) => (model === null ? noLeverage : leverageLimitOf(model, notional));
  return {
    maxSideBps: at(minNotional),
    at100Usd: at(at100Usd),
    at500Usd: at(at500Usd),
    at1000Usd: at(at1000Usd),
    at10000Usd: at(at10000Usd),
  };
}

function sideLimitsOf(view: MarketView, side: Side): SideLimits {
  const { snapshot, terms } = view;
  const config = view.config ?? policyDefaults;
  // A side that is closed still shows its leverage: the reason code says why it is closed, the figures how far it is.
  const leverage = leverageOfSide(sideModelOf(snapshot, side, { terms, config }), terms.minNotionalUsdPips);
  const slippageMax = slippageMaxOf(sideOf(snapshot, side), config);
  const capacity = capacityMaxOf(view, side, leverage.maxSideBps);
  return {
    ...leverage,
    slippageMaxNotionalUsdPips: slippageMax,
    capacityMaxNotionalUsdPips: capacity,
    maxNotionalUsdPips: maxNotionalOf({
      isSideOpen: sideReasonOf(view, side) === null,
      slippageMaxUsdPips: slippageMax,
      capacityMaxUsdPips: capacity,
      partnerRemainingUsdPips: partnerRemainingOf(view),
      // As for a wallet without positions.
      userLimitUsdPips: terms.limits.userNotionalUsdPips,
    }),
  };
}

/** Books do not change, new ones take their place: each is walked once, however often it is asked for. */
const clearable = new WeakMap<OrderBook, UsdPips>();

/** What clears on a side at the widest slippage, clear(1000); null without a fresh book. */
export function slippageMaxOf(side: Pick<SideSnapshot, 'book' | 'bookAgeMs'>, config: PolicyConfig): UsdPips | null {
  const book = freshBookOf(side, config);
  if (book === null) return null;
  const known = clearable.get(book);
  if (known !== undefined) return known;
  const found = clearableNotionalOf({ asks: book.asks, slippageBps: constants.maxSlippageBps });
  clearable.set(book, found);
  return found;
}

/** The book of a side while it is young enough to be believed. */
export function freshBookOf(
  { book, bookAgeMs }: Pick<SideSnapshot, 'book' | 'bookAgeMs'>,
  config: PolicyConfig,
): OrderBook | null {
  return bookAgeMs !== null && bookAgeMs <= config.ages.maxBookAgeMs ? book : null;
}

/** What the partner's cap still allows; nothing when usage is unknown, where no maximum is shown anyway. */
function partnerRemainingOf({ usage, terms }: MarketView): UsdPips {
  if (usage === null) return usdPips(0n);
  const limitUsdPips = terms.limits.partnerNotionalUsdPips;
  return availableNotionalOf({ scope: 'partner', limitUsdPips, usage: usage.partner });
}
