import { clearableNotionalOf, slippageOf } from '../book/clearable.ts';
import { constants } from '../constants.ts';
import {
  collateralFloorHintOf,
  collateralFloorOf,
  floorLeverageOf,
  maxSupportedCollateralOf,
} from '../limits/hints.ts';
import {
  isLiquidationViable,
  liquidationPriceOf,
  minimumBufferOf,
  priceViableLeverageOf,
} from '../liquidation/liquidationPrice.ts';
import { type ExpectedFill, expectedFillOf } from '../quote/expectedFill.ts';
import { type SnappedSize, snapQuote } from '../size/snapQuote.ts';
import { min } from '../units/arithmetic.ts';
import {
  type LeverageBps,
  leverageBps,
  raw,
  type UsdcUnits,
  type UsdPips,
  usdcUnits,
  usdPips,
} from '../units/quantity.ts';
import type {
  Revision,
  SizeMarket,
  SizeRefusal,
  SizeRefusalCode,
  SizeRefusalParams,
  SizeRequest,
  SizeRevision,
} from './sizeRevision.ts';

const { minLeverageBps, minRevisedLeverageBps, leverageBucketsUsdPips: buckets } = constants;
const step = raw(constants.leverageStepBps);

/** Request, market and what follows from both once: the ladder's steps read nothing else. */
interface Ladder {
  readonly request: SizeRequest;
  readonly market: SizeMarket;
  /** clear(s) at the requested slippage. */
  readonly clearableUsdPips: UsdPips;
  /** F: the minimum collateral. */
  readonly floorUsdcUnits: UsdcUnits;
}

/** A size as the book would fill it, with its liquidation price at the worst allowed fill. */
interface Candidate {
  readonly size: SnappedSize;
  readonly fill: ExpectedFill;
  readonly liquidationPricePips: ReturnType<typeof liquidationPriceOf>;
  readonly isViable: boolean;
}

function refuse<Code extends SizeRefusalCode>(code: Code, params: SizeRefusalParams[Code]): SizeRefusal;
function refuse(code: SizeRefusalCode, params: SizeRefusalParams[SizeRefusalCode]): object {
  return { kind: 'rejection', code, params };
}

/**
 * The revision ladder (specification, Quote revision rules; DEFINITIONS 1 steps 0 and a to f): which notional and
 * leverage can be quoted now. Order: (0) empty book, too thin at any slippage, too thin at this one, too thin for a
 * partial-open's floor; (a) cap the notional at what clears; (b) lower it to where the market allows 1.5x at all, and
 * the leverage to what market, collateral floor and liquidation allow; (c) to (e) grant, revise or name what binds;
 * (f) liquidation at the worst allowed fill stays 1 % below entry and mark, held inside (b).
 *
 * With `allowRevision` every result below 1.5x is LIQUIDITY_INSUFFICIENT. Without it the most specific code answers,
 * and sizes in its params can be resubmitted as they are. The caller has checked the form of the request (leverage
 * step and range, slippage, minimum notional).
 * @throws RangeError when the leverage is no positive multiple of 2,500 bps.
 */
export function reviseSize(request: SizeRequest, market: SizeMarket): SizeRevision {
  const clearableUsdPips = clearableNotionalOf({ asks: market.asks, slippageBps: request.slippageBps });
  const floorUsdcUnits = collateralFloorOf(market.minCollateralUsdPips);
  const ladder: Ladder = { request, market, clearableUsdPips, floorUsdcUnits };
  const thin = liquidityRefusalOf(ladder);
  if (thin !== null) return thin;

  const isPartialOpen = request.minFillBps !== null;
  const cappedUsdPips = isPartialOpen ? request.notionalUsdPips : min(request.notionalUsdPips, clearableUsdPips);
  const wanted = wantedLeverageOf(ladder, cappedUsdPips);
  if (raw(wanted) >= raw(minRevisedLeverageBps)) {
    const candidate = candidateOf(ladder, cappedUsdPips, wanted);
    // The usual case: nothing but the limits already read binds, so one walk decides.
    if (candidate.isViable) return grant(ladder, cappedUsdPips, wanted, candidate);
  }

  const notionalUsdPips = openableNotionalOf(ladder, cappedUsdPips);
  if (!isViableAt(ladder, notionalUsdPips, minRevisedLeverageBps)) return notViable(ladder, notionalUsdPips);
  const leverage = viableLeverageOf(ladder, notionalUsdPips, wantedLeverageOf(ladder, notionalUsdPips));
  return grant(ladder, notionalUsdPips, leverage, null);
}

/** Step 0: is there a book for this request at all? */
function liquidityRefusalOf({ request, market, clearableUsdPips }: Ladder): SizeRefusal | null {
  const { asks, minNotionalUsdPips } = market;
  if (asks.length === 0) return refuse('notional_selector_empty_order_book', {});
  const isBelowMinimum = raw(clearableUsdPips) < raw(minNotionalUsdPips);
  const fillBps = request.minFillBps;
  const isBelowFloor =
    fillBps !== null && raw(clearableUsdPips) * 10_000n < raw(request.notionalUsdPips) * raw(fillBps);
  if (!isBelowMinimum && !isBelowFloor) return null;

  const atMaximum = clearableNotionalOf({ asks, slippageBps: constants.maxSlippageBps });
  const hint = {
    max_supported_collateral_usd_pips: maxSupportedCollateralOf(clearableUsdPips, request.leverageBps),
    min_notional_usd_pips: minNotionalUsdPips,
    slippage_max_usd_pips: atMaximum,
  };
  if (!isBelowMinimum) return refuse('notional_selector_insufficient_liquidity', hint);
  const needed = slippageOf({ asks, notionalUsdPips: minNotionalUsdPips });
  if (raw(atMaximum) >= raw(minNotionalUsdPips) && needed !== null) {
    return refuse('quote_slippage_too_high', {
      current_slippage_bps: needed,
      max_slippage_bps: request.slippageBps,
    });
  }
  return market.isPregame
    ? refuse('notional_selector_pregame_insufficient_liquidity', hint)
    : refuse('notional_selector_below_min_notional', hint);
}

function wantedLeverageOf(ladder: Ladder, notionalUsdPips: UsdPips): LeverageBps {
  const limit = ladder.market.leverageLimitOf(notionalUsdPips);
  return min(min(ladder.request.leverageBps, limit), floorLeverageOf(notionalUsdPips, ladder.floorUsdcUnits));
}

function candidateOf({ request, market }: Ladder, notionalUsdPips: UsdPips, leverage: LeverageBps): Candidate {
  const size = snapQuote({ notionalUsdPips, leverageBps: leverage });
  const fill = expectedFillOf({
    asks: market.asks,
    notionalUsdcUnits: size.notionalUsdcUnits,
    slippageBps: request.slippageBps,
    isPartialOpen: request.minFillBps !== null,
  });
  const liquidationPricePips = liquidationPriceOf({
    principalUsdcUnits: size.borrowUsdcUnits,
    feesUsdcUnits: usdcUnits(0n),
    tokenUnits: fill.minExpectedPositionTokenUnits,
    liquidationFeeBps: market.liquidationFeeBps,
    exitBufferBps: market.exitBufferBps,
  });
  const { entryPricePips } = fill;
  const isViable = isLiquidationViable({
    liquidationPricePips,
    entryPricePips,
    markPricePips: market.markPricePips,
  });
  return { size, fill, liquidationPricePips, isViable };
}

function isViableAt(ladder: Ladder, notionalUsdPips: UsdPips, leverage: LeverageBps): boolean {
  return candidateOf(ladder, notionalUsdPips, leverage).isViable;
}

/** min(limit, W): the highest step up to a limit at which (f) holds; 0 when it holds at none. */
function viableLeverageOf(ladder: Ladder, notionalUsdPips: UsdPips, limit: LeverageBps): LeverageBps {
  // More leverage on the same notional only raises the liquidation price, so the steps can be bisected.
  let lowest = 0n;
  let highest = raw(limit) / step;
  if (highest <= 0n || isViableAt(ladder, notionalUsdPips, limit)) return limit;
  while (highest - lowest > 1n) {
    const middle = (lowest + highest) / 2n;
    if (isViableAt(ladder, notionalUsdPips, leverageBps(middle * step))) lowest = middle;
    else highest = middle;
  }
  return leverageBps(lowest * step);
}

/** True where the market and (f) allow the lowest leverage a revision may end at. */
function isOpenable(ladder: Ladder, notionalUsdPips: UsdPips): boolean {
  if (raw(ladder.market.leverageLimitOf(notionalUsdPips)) < raw(minRevisedLeverageBps)) return false;
  return isViableAt(ladder, notionalUsdPips, minRevisedLeverageBps);
}

/** Step b, first half: the notional itself when it can be opened, else the largest smaller one that can, if any. */
function openableNotionalOf(ladder: Ladder, notionalUsdPips: UsdPips): UsdPips {
  if (isOpenable(ladder, notionalUsdPips)) return notionalUsdPips;
  let lowest = raw(ladder.market.minNotionalUsdPips);
  let highest = raw(notionalUsdPips);
  if (highest <= lowest || !isOpenable(ladder, usdPips(lowest))) return notionalUsdPips;
  // The limit never rises with size, so one boundary separates what can be opened from what cannot.
  while (highest - lowest > 1n) {
    const middle = (lowest + highest) / 2n;
    if (isOpenable(ladder, usdPips(middle))) lowest = middle;
    else highest = middle;
  }
  return usdPips(lowest);
}

function notViable(ladder: Ladder, notionalUsdPips: UsdPips): SizeRefusal {
  const requested = candidateOf(ladder, notionalUsdPips, ladder.request.leverageBps);
  return refuse('quote_liquidation_not_viable', {
    entry_price_usd_pips: requested.fill.entryPricePips,
    liquidation_price_usd_pips: requested.liquidationPricePips,
    min_tolerance_pct_bps: constants.minLiquidationTolerancePctBps,
    side: ladder.request.side,
  });
}

function revisionOf({ request }: Ladder, notionalUsdPips: UsdPips, leverage: LeverageBps): Revision | null {
  const isSmaller = raw(notionalUsdPips) < raw(request.notionalUsdPips);
  if (raw(leverage) < raw(request.leverageBps)) return isSmaller ? 'notional_and_leverage_reduced' : 'leverage_reduced';
  return isSmaller ? 'notional_reduced' : null;
}

/** Steps c to e: grant the size as it is, as a revision, or say what binds. */
// oxlint-disable-next-line eslint/max-params -- the four inputs of the decision, used here only.
function grant(
  ladder: Ladder,
  notionalUsdPips: UsdPips,
  leverage: LeverageBps,
  candidate: Candidate | null,
): SizeRevision {
  const revision = revisionOf(ladder, notionalUsdPips, leverage);
  if (revision !== null && !ladder.request.allowRevision) {
    return bindingRefusalOf(ladder, { revision, notionalUsdPips, leverage });
  }
  if (raw(leverage) < raw(minRevisedLeverageBps)) return refuse('LIQUIDITY_INSUFFICIENT', {});
  const { size, fill } = candidate ?? candidateOf(ladder, notionalUsdPips, leverage);
  return { kind: 'accepted', revision, notionalUsdPips, leverageBps: leverage, size, fill };
}

/** Step e without revision: the code of the one thing that binds, or the size that can be resubmitted. */
function bindingRefusalOf(
  ladder: Ladder,
  acceptable: { readonly revision: Revision; readonly notionalUsdPips: UsdPips; readonly leverage: LeverageBps },
): SizeRefusal {
  const { request, market, clearableUsdPips, floorUsdcUnits } = ladder;
  const { notionalUsdPips: requested, leverageBps: requestedLeverage } = request;
  const isCapped = request.minFillBps === null && raw(clearableUsdPips) < raw(requested);
  const floorLeverage = floorLeverageOf(requested, floorUsdcUnits);
  const isFloored = raw(floorLeverage) < raw(requestedLeverage);
  if (!isCapped && !isFloored) return leverageRefusalOf(ladder);

  const isOnlyFloored = !isCapped && raw(acceptable.leverage) === raw(floorLeverage);
  const isLimited = raw(market.leverageLimitOf(requested)) < raw(requestedLeverage);
  if (isOnlyFloored && !isLimited && raw(floorLeverage) < raw(minLeverageBps)) {
    return refuse('quote_leverage_exceeds_collateral_floor', collateralFloorHintOf(request, floorUsdcUnits));
  }
  if (raw(acceptable.leverage) < raw(minLeverageBps)) return refuse('LIQUIDITY_INSUFFICIENT', {});
  const { collateralUsdcUnits } = snapQuote({
    notionalUsdPips: acceptable.notionalUsdPips,
    leverageBps: acceptable.leverage,
  });
  return refuse('QUOTE_REVISION_REQUIRED', {
    revision: acceptable.revision,
    requested_leverage_bps: requestedLeverage,
    requested_notional_usd_pips: requested,
    acceptable_leverage_bps: acceptable.leverage,
    acceptable_notional_usd_pips: acceptable.notionalUsdPips,
    acceptable_collateral_usdc_units: collateralUsdcUnits,
  });
}

/** Step e when only the market's limit or (f) binds, at the requested notional. */
function leverageRefusalOf(ladder: Ladder): SizeRefusal {
  const { request, market } = ladder;
  const { notionalUsdPips: requested, leverageBps: requestedLeverage } = request;
  const limit = market.leverageLimitOf(requested);
  if (raw(requestedLeverage) <= raw(limit)) return notViable(ladder, requested);
  const highest = viableLeverageOf(ladder, requested, limit);
  if (raw(highest) < raw(minLeverageBps)) {
    return refuse('quote_max_leverage_too_low', { max_leverage_bps: highest, min_leverage_bps: minLeverageBps });
  }
  const { markPricePips, liquidationFeeBps, exitBufferBps } = market;
  const { entryPricePips } = candidateOf(ladder, requested, requestedLeverage).fill;
  const viable = priceViableLeverageOf({ entryPricePips, markPricePips, liquidationFeeBps, exitBufferBps });
  if (raw(requestedLeverage) > raw(viable)) {
    return refuse('quote_leverage_too_high_for_price', {
      current_book_leverage_bps: requestedLeverage,
      entry_price_usd_pips: entryPricePips,
      max_acceptable_leverage_bps: highest,
      minimum_buffer_usd_pips: minimumBufferOf(entryPricePips, markPricePips),
    });
  }
  const hint = { current_book_leverage_bps: requestedLeverage, max_leverage_bps: highest };
  return raw(requestedLeverage) > raw(market.leverageLimitOf(bucketOf(market, requested)))
    ? refuse('quote_leverage_exceeds_maximum', hint)
    : refuse('quote_leverage_exceeds_model_max', hint);
}

/** The listed notional whose maximum a client would have read for this one: the minimum below the first bucket. */
function bucketOf({ minNotionalUsdPips }: SizeMarket, notionalUsdPips: UsdPips): UsdPips {
  let bucket = minNotionalUsdPips;
  for (const listed of Object.values(buckets)) if (raw(listed) <= raw(notionalUsdPips)) bucket = listed;
  return bucket;
}
