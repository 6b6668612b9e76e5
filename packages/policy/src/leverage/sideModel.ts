import { haircutLevelsOf, type MarketSnapshot, minimumLevelsOf, oneE12, sideOf } from '@core/market';
import type { Side } from '@core/position';
import {
  askDepthOf,
  type BookLevel,
  bidDepthOf,
  constants,
  type FeeSchedule,
  type LeverageBps,
  leverageBps,
  min,
  multiplyDivide,
  type OrderBook,
  type PricePips,
  pricePips,
  priceViableLeverageOf,
  raw,
  subtract,
  type TokenUnits,
  toUsdPips,
  type UsdPips,
  usdPips,
  type VenueFeeSchedule,
} from '@core/pricing';
import type { PolicyConfig } from '../config.ts';
import { openingMarkOf } from '../market/marks.ts';
import { type RiskPhase, riskPhaseOf } from '../market/riskPhase.ts';
import { routes } from '../route/routes.ts';
import { type BuyWalk, buyWalkOf } from './buyWalk.ts';
import { type GrantBounds, type GrantPlace, grantedLeverageOf, smallestShareInJumpOf } from './grantedLeverage.ts';
import { coveredValueOf, oddsShockOf } from './oddsShock.ts';
import { isReferenceSilent } from './referenceSilence.ts';
import { averageSalePriceOf, netSaleValueOf, pipsToE12 } from './saleValue.ts';

/** Terms of a partner in the model: the ceiling, the smallest size, and the fee that lifts the liquidation price. */
export interface LeverageTerms {
  readonly maxLeverageBps: LeverageBps;
  readonly minNotionalUsdPips: UsdPips;
  readonly fees: Pick<FeeSchedule, 'liquidationFeeBps'>;
}

/** Everything the leverage of a side depends on, read once per snapshot; the size comes later. */
export interface SideModel {
  readonly phase: RiskPhase;
  readonly book: OrderBook;
  /** Bids as a sale at entry may count on them: five-minute minimum, halved. */
  readonly entryBids: readonly BookLevel[];
  readonly aheadTokenUnits: TokenUnits;
  readonly markPricePips: PricePips;
  readonly shockE12: bigint;
  /** Bounds of opening grants; null on the route without them. */
  readonly grant: GrantBounds | null;
  readonly venueFee: VenueFeeSchedule;
  readonly askDepthUsdPips: UsdPips;
  readonly bidDepthUsdPips: UsdPips;
  readonly terms: LeverageTerms;
  readonly config: PolicyConfig;
}

/** Build the model of a side; null when book, mark, phase or fee schedule are missing. */
export function sideModelOf(
  snapshot: MarketSnapshot,
  side: Side,
  { terms, config }: { readonly terms: LeverageTerms; readonly config: PolicyConfig },
): SideModel | null {
  const token = sideOf(snapshot, side);
  const phase = riskPhaseOf(snapshot, config);
  const mark = openingMarkOf(token, config);
  const { venueFee } = snapshot.facts;
  const { book } = token;
  const bestAsk = book?.asks[0];
  const bestBid = book?.bids[0];
  if (book === null || phase === null || mark === null || venueFee === null) return null;
  if (bestAsk === undefined || bestBid === undefined) return null;
  const shock = {
    phase,
    realisedVarianceE12: token.realisedVarianceE12,
    isReferenceSilent: isReferenceSilent(snapshot, config),
  };
  return {
    phase,
    book,
    ...depthsOf(book, token.minimumBids, config),
    aheadTokenUnits: token.openLeveragedTokenUnits,
    markPricePips: mark,
    shockE12: oddsShockOf(shock, config.model),
    grant: grantBoundsOf(snapshot, { side, markPricePips: mark, phase }, { venueFee, terms, config }),
    venueFee,
    terms,
    config,
  };
}

/** A quote may be granted until its reservation ends, nearer to the end of its market. */
function grantBoundsOf(
  snapshot: MarketSnapshot,
  place: GrantPlace,
  { venueFee, terms, config }: Pick<SideModel, 'venueFee' | 'terms' | 'config'>,
): GrantBounds | null {
  if (!routes[config.openingRoute].hasFillers) return null;
  const afterSeconds = config.quote.windowSeconds + config.quote.graceSeconds;
  return {
    markPricePips: place.markPricePips,
    venueFee,
    smallestShareBps: smallestShareInJumpOf(snapshot, place, { config, afterSeconds }),
    smallestNotionalUsdPips: terms.minNotionalUsdPips,
  };
}

type Depths = Pick<SideModel, 'entryBids' | 'askDepthUsdPips' | 'bidDepthUsdPips'>;

/** Depths last computed of a book; they hold for every size until the book or its past changes. */
const lastDepths = new WeakMap<
  OrderBook,
  { readonly minimumBids: readonly BookLevel[] | null; readonly config: PolicyConfig; readonly depths: Depths }
>();

function depthsOf(book: OrderBook, minimumBids: readonly BookLevel[] | null, config: PolicyConfig): Depths {
  const cached = lastDepths.get(book);
  if (cached !== undefined && cached.minimumBids === minimumBids && cached.config === config) return cached.depths;
  const [bestAsk, bestBid] = [book.asks[0], book.bids[0]];
  if (bestAsk === undefined || bestBid === undefined) throw new RangeError('a depth needs both sides of a book');
  const band = config.entry.depthBandPricePips;
  // The minimum of the past laid below the best bid may still be deeper than the book is now: the smaller one counts.
  const seenBids = minimumBids === null ? book.bids : minimumLevelsOf(minimumBids, book.bids);
  const depths = {
    entryBids: haircutLevelsOf(seenBids, raw(config.model.bidHaircutBps)),
    askDepthUsdPips: toUsdPips(askDepthOf(book.asks, pricePips(raw(bestAsk.pricePips) + raw(band))), 'down'),
    bidDepthUsdPips: toUsdPips(bidDepthOf(book.bids, subtract(bestBid.pricePips, band)), 'down'),
  };
  lastDepths.set(book, { minimumBids, config, depths });
  return depths;
}

/** Position of one size as the model sees it. */
export interface SizedEntry {
  readonly walk: BuyWalk;
  /** b: average price of selling the whole position, scaled by 1e12. */
  readonly salePriceE12: bigint;
  /** e */
  readonly netValueE12: bigint;
  /** c */
  readonly coveredValueE12: bigint;
}

/** Buy `notional`, and value the sale of all of it now and after the shock. */
export function sizedEntryOf(model: SideModel, notional: UsdPips): SizedEntry {
  const walk = buyWalkOf(model.book.asks, notional);
  const salePriceE12 = averageSalePriceOf({
    bids: model.entryBids,
    tokens: walk.tokens,
    ahead: model.aheadTokenUnits,
  });
  const netValueE12 = netSaleValueOf(salePriceE12, model.venueFee);
  return { walk, salePriceE12, netValueE12, coveredValueE12: coveredValueOf(netValueE12, model.shockE12) };
}

/** Lowest average price at which a sale is assumed or made: mark × (1 − slip), scaled by 1e12. */
export function minimumSalePriceOf(markPricePips: PricePips, config: PolicyConfig): bigint {
  return (pipsToE12(raw(markPricePips)) * (10_000n - raw(config.model.slipBps))) / 10_000n;
}

/** Depth that `notional` needs on each side of the book. */
export function neededDepthOf(notional: UsdPips, config: PolicyConfig): UsdPips {
  return multiplyDivide(notional, config.entry.depthMultiple, 1n, 'up');
}

/** Return the largest notional that the depth rules allow; null where they require no depth. */
export function deepestNotionalOf({ askDepthUsdPips, bidDepthUsdPips, config }: SideModel): UsdPips | null {
  const { depthMultiple } = config.entry;
  return depthMultiple === 0n ? null : multiplyDivide(min(askDepthUsdPips, bidDepthUsdPips), 1n, depthMultiple, 'down');
}

/**
 * Maximum leverage of the risk policy at a size, `L = a / (a − e + κ(e − c))`, between 1x and 10x, before rounding to
 * the step: what is lent is covered by κ times the fall of the sale value under the shock.
 */
function modelLeverageOf(entry: SizedEntry, config: PolicyConfig): LeverageBps {
  const marginE12 = ((entry.netValueE12 - entry.coveredValueE12) * config.model.marginMultiplierBps) / 10_000n;
  const keptE12 = entry.netValueE12 - marginE12;
  const atRiskE12 = entry.walk.averagePriceE12 - keptE12;
  // Selling everything again after the shock brings more than was paid: only the ceiling is left to bind.
  if (atRiskE12 <= 0n) return constants.maxLeverageBps;
  const leverage = (entry.walk.averagePriceE12 * 10_000n) / atRiskE12;
  return leverageBps(leverage < 10_000n ? 10_000n : leverage);
}

const noLeverage = leverageBps(0n);

/**
 * G(n) of the definitions: the maximum leverage of this side at a notional, down to the step of 2,500. The minimum of
 * the configured maximum, price viability, the model and what price signers grant; zero for a size the book cannot take
 * or give back within the depth rules. Never higher for a larger notional, for less depth, less time or more variance.
 */
export function leverageLimitOf(model: SideModel, notional: UsdPips): LeverageBps {
  const { config, terms } = model;
  // A size the depth gates would refuse gets no leverage, so that larger listed notionals show what a quote would say.
  const minimumDepth = raw(neededDepthOf(notional, config));
  if (raw(model.askDepthUsdPips) < minimumDepth || raw(model.bidDepthUsdPips) < minimumDepth) return noLeverage;
  const entry = sizedEntryOf(model, notional);
  if (!entry.walk.isComplete || entry.salePriceE12 < minimumSalePriceOf(model.markPricePips, config)) return noLeverage;
  const viable = priceViableLeverageOf({
    entryPricePips: pricePips(entry.walk.averagePricePips),
    markPricePips: model.markPricePips,
    liquidationFeeBps: terms.fees.liquidationFeeBps,
    exitBufferBps: config.model.exitBufferBps,
  });
  const granted =
    model.grant === null ? constants.maxLeverageBps : grantedLeverageOf(entry.walk, { ...model.grant, config });
  const highest = min(min(constants.maxLeverageBps, terms.maxLeverageBps), granted);
  const limit = min(highest, min(viable, modelLeverageOf(entry, config)));
  const step = raw(constants.leverageStepBps);
  return leverageBps((raw(limit) / step) * step);
}

/** Money a sale of the whole position would fetch, and the minimum it must fetch, for the params of a refusal. */
export function saleDepthOf(model: SideModel, notional: UsdPips): { current: UsdPips; threshold: UsdPips } {
  const { walk, salePriceE12 } = sizedEntryOf(model, notional);
  const value = (priceE12: bigint) => (raw(walk.tokens) * priceE12) / oneE12 / 100n;
  return {
    current: usdPips(value(salePriceE12)),
    // One pip more, because a refusal must name what would have passed: its own value is just below.
    threshold: usdPips(value(minimumSalePriceOf(model.markPricePips, model.config)) + 1n),
  };
}
