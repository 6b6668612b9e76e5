import {
  askDepthOf,
  type BookLevel,
  bidDepthOf,
  constants,
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
import type { Side } from '../market/marketFacts.ts';
import { type MarketSnapshot, sideOf } from '../market/marketSnapshot.ts';
import { openingMarkOf } from '../market/marks.ts';
import { type RiskPhase, riskPhaseOf } from '../market/riskPhase.ts';
import { oneE12 } from '../math/fixedPoint.ts';
import type { PartnerTerms } from '../quote/partnerTerms.ts';
import { haircutLevelsOf, minimumLevelsOf } from '../statistics/depthProfile.ts';
import { type BuyWalk, buyWalkOf } from './buyWalk.ts';
import { coveredValueOf, oddsShockOf } from './oddsShock.ts';
import { isReferenceSilent } from './referenceSilence.ts';
import { averageSalePriceOf, netSaleValueOf, pipsToE12 } from './saleValue.ts';

/** Everything the leverage of a side depends on, read once per snapshot; the size comes later. */
export interface SideModel {
  readonly phase: RiskPhase;
  readonly book: OrderBook;
  /** Bids as a sale at entry may count on them: five-minute minimum, halved. */
  readonly entryBids: readonly BookLevel[];
  readonly aheadTokenUnits: TokenUnits;
  readonly markPricePips: PricePips;
  readonly shockE12: bigint;
  readonly venueFee: VenueFeeSchedule;
  readonly askDepthUsdPips: UsdPips;
  readonly bidDepthUsdPips: UsdPips;
  readonly terms: PartnerTerms;
  readonly config: PolicyConfig;
}

/** Builds the model of a side; null when book, mark, phase or fee schedule are missing. */
export function sideModelOf(
  snapshot: MarketSnapshot,
  side: Side,
  { terms, config }: { readonly terms: PartnerTerms; readonly config: PolicyConfig },
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
  const band = config.entry.depthBandPricePips;
  const shock = {
    phase,
    realisedVarianceE12: token.realisedVarianceE12,
    isReferenceSilent: isReferenceSilent(snapshot, config),
  };
  const seenBids = token.minimumBids === null ? book.bids : minimumLevelsOf(token.minimumBids, book.bids);
  return {
    phase,
    book,
    entryBids: haircutLevelsOf(seenBids, raw(config.model.bidHaircutBps)),
    aheadTokenUnits: token.openLeveragedTokenUnits,
    markPricePips: mark,
    shockE12: oddsShockOf(shock, config.model),
    venueFee,
    askDepthUsdPips: toUsdPips(askDepthOf(book.asks, pricePips(raw(bestAsk.pricePips) + raw(band))), 'down'),
    bidDepthUsdPips: toUsdPips(bidDepthOf(book.bids, subtract(bestBid.pricePips, band)), 'down'),
    terms,
    config,
  };
}

/** What a position of one size would look like to the model. */
export interface SizedEntry {
  readonly walk: BuyWalk;
  /** b: average price of selling the whole position, scaled by 1e12. */
  readonly salePriceE12: bigint;
  /** e */
  readonly netValueE12: bigint;
  /** c */
  readonly coveredValueE12: bigint;
}

/** Buys `notional` and asks what selling all of it again would bring now and after the shock. */
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
export function leastSalePriceOf(markPricePips: PricePips, config: PolicyConfig): bigint {
  return (pipsToE12(raw(markPricePips)) * (10_000n - raw(config.model.slipBps))) / 10_000n;
}

/** Depth that `notional` needs on each side of the book. */
export function neededDepthOf(notional: UsdPips, config: PolicyConfig): UsdPips {
  return multiplyDivide(notional, config.entry.depthMultiple, 1n, 'up');
}

/** Offer of the risk policy, `L = a / (a − e + κ(e − c))`, between 1x and 10x, before rounding to the step. */
export function modelOfferOf(entry: SizedEntry, config: PolicyConfig): LeverageBps {
  const marginE12 = ((entry.netValueE12 - entry.coveredValueE12) * config.model.marginMultiplierBps) / 10_000n;
  const keptE12 = entry.netValueE12 - marginE12;
  const atRiskE12 = entry.walk.averagePriceE12 - keptE12;
  if (atRiskE12 <= 0n) return constants.maxLeverageBps;
  const offer = (entry.walk.averagePriceE12 * 10_000n) / atRiskE12;
  return leverageBps(offer < 10_000n ? 10_000n : offer);
}

const noLeverage = leverageBps(0n);

/**
 * G(n) of the definitions: the most leverage this side allows at a notional, down to the step of 2,500. The least of
 * the configured maximum, price viability and the model's offer; zero for a size the book cannot take or give back
 * within the depth rules. Never higher for a larger notional, for less depth, less time or more variance.
 */
export function leverageLimitOf(model: SideModel, notional: UsdPips): LeverageBps {
  const { config, terms } = model;
  const needed = raw(neededDepthOf(notional, config));
  if (raw(model.askDepthUsdPips) < needed || raw(model.bidDepthUsdPips) < needed) return noLeverage;
  const entry = sizedEntryOf(model, notional);
  if (!entry.walk.isComplete || entry.salePriceE12 < leastSalePriceOf(model.markPricePips, config)) return noLeverage;
  const viable = priceViableLeverageOf({
    entryPricePips: pricePips(entry.walk.averagePricePips),
    markPricePips: model.markPricePips,
    liquidationFeeBps: terms.fees.liquidationFeeBps,
    exitBufferBps: config.model.exitBufferBps,
  });
  const limit = min(min(constants.maxLeverageBps, terms.maxLeverageBps), min(viable, modelOfferOf(entry, config)));
  const step = raw(constants.leverageStepBps);
  return leverageBps((raw(limit) / step) * step);
}

/** The smallest offer at which a side stays open, as `max_side` must reach it. */
export function isSideOpen(model: SideModel, minNotional: UsdPips): boolean {
  return raw(leverageLimitOf(model, minNotional)) >= raw(model.config.model.minOfferLeverageBps);
}

/** Money a sale of the whole position would fetch, and the least it must fetch, for the params of a refusal. */
export function saleDepthOf(model: SideModel, notional: UsdPips): { current: UsdPips; threshold: UsdPips } {
  const { walk, salePriceE12 } = sizedEntryOf(model, notional);
  const value = (priceE12: bigint) => (raw(walk.tokens) * priceE12) / oneE12 / 100n;
  return {
    current: usdPips(value(salePriceE12)),
    threshold: usdPips(value(leastSalePriceOf(model.markPricePips, model.config)) + 1n),
  };
}
