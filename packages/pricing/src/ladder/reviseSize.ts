import { clearableNotionalOf, slippageOf } from '../book/clearable.ts';
import { constants } from '../constants.ts';
import { collateralFloorHintOf, floorLeverageOf, maxSupportedCollateralOf } from '../limits/hints.ts';
import { minimumBufferOf, priceViableLeverageOf } from '../liquidation/liquidationPrice.ts';
import { snapQuote } from '../size/snapQuote.ts';
import { min } from '../units/arithmetic.ts';
import { type LeverageBps, raw, type UsdPips, usdPips } from '../units/quantity.ts';
import {
  type Candidate,
  candidateOf,
  isOpenable,
  isViableAt,
  type Ladder,
  ladderOf,
  targetLeverageOf,
  viableLeverageOf,
} from './candidate.ts';
import { shownLeverageOf } from './shownLeverage.ts';
import type {
  Revision,
  SizeMarket,
  SizeRefusal,
  SizeRefusalCode,
  SizeRefusalParams,
  SizeRequest,
  SizeRevision,
} from './sizeRevision.ts';

const { minLeverageBps, minRevisedLeverageBps } = constants;

function refuse<Code extends SizeRefusalCode>(code: Code, params: SizeRefusalParams[Code]): SizeRefusal;
function refuse(code: SizeRefusalCode, params: SizeRefusalParams[SizeRefusalCode]): object {
  return { kind: 'rejection', code, params };
}

/**
 * Run the revision ladder (specification, Quote revision rules; DEFINITIONS 1 steps 0 and a to f): decide which
 * notional and leverage can be quoted now. Steps in order:
 * - (0) refuse an empty book, one too thin at any slippage, at this slippage, or for the floor of a partial-open;
 * - (a) cap the notional at the clearable amount;
 * - (b) lower the notional until the market allows 1.5x, and the leverage to the limits of market, collateral floor and
 *   liquidation;
 * - (c) to (e) grant, revise or name the binding limit;
 * - (f) liquidation at the worst allowed fill stays 1 % below entry and mark, checked inside (b).
 *
 * With `allowRevision` every result below 1.5x is LIQUIDITY_INSUFFICIENT. Without it the most specific code answers,
 * and sizes in its params can be resubmitted unchanged. The caller has checked leverage step and range, slippage and
 * minimum notional.
 *
 * @param request Size as requested.
 * @param market Book, mark and limits of the side.
 * @returns Size to quote, or a rejection with the params of its code.
 * @throws RangeError when the leverage is no positive multiple of 2,500 bps.
 */
export function reviseSize(request: SizeRequest, market: SizeMarket): SizeRevision {
  const ladder = ladderOf(request, market);
  const { clearableUsdPips } = ladder;
  const thin = liquidityRefusalOf(ladder);
  if (thin !== null) return thin;

  const isPartialOpen = request.minFillBps !== null;
  const cappedUsdPips = isPartialOpen ? request.notionalUsdPips : min(request.notionalUsdPips, clearableUsdPips);
  const target = targetLeverageOf(ladder, cappedUsdPips);
  if (raw(target) >= raw(minRevisedLeverageBps)) {
    const candidate = candidateOf(ladder, cappedUsdPips, target);
    // The common case: nothing binds except the limits above, so one walk decides.
    if (candidate.isViable) return grant(ladder, cappedUsdPips, target, candidate);
  }

  const notionalUsdPips = openableNotionalOf(ladder, cappedUsdPips);
  if (!isViableAt(ladder, notionalUsdPips, minRevisedLeverageBps)) return notViable(ladder, notionalUsdPips);
  const leverage = viableLeverageOf(ladder, notionalUsdPips, targetLeverageOf(ladder, notionalUsdPips));
  return grant(ladder, notionalUsdPips, leverage, null);
}

/** Step 0: refuse a request that the book cannot serve. */
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
  const slippage = slippageOf({ asks, notionalUsdPips: minNotionalUsdPips });
  if (raw(atMaximum) >= raw(minNotionalUsdPips) && slippage !== null) {
    return refuse('quote_slippage_too_high', {
      current_slippage_bps: slippage,
      max_slippage_bps: request.slippageBps,
    });
  }
  return market.isPregame
    ? refuse('notional_selector_pregame_insufficient_liquidity', hint)
    : refuse('notional_selector_below_min_notional', hint);
}

/** Step b, first half: return the notional when it can be opened, else the largest smaller one that can, if any. */
function openableNotionalOf(ladder: Ladder, notionalUsdPips: UsdPips): UsdPips {
  if (isOpenable(ladder, notionalUsdPips)) return notionalUsdPips;
  let lowest = raw(ladder.market.minNotionalUsdPips);
  let highest = raw(notionalUsdPips);
  if (highest <= lowest || !isOpenable(ladder, usdPips(lowest))) return notionalUsdPips;
  // The limit never rises with size, so one boundary separates the notionals that can be opened from the others.
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

/** Steps c to e: grant the size unchanged or revised, or name the binding limit. */
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

/** Step e without revision: return the code of the single binding limit, or a size that can be resubmitted. */
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

/** Step e: refuse when only the market's limit or (f) binds, at the requested notional. */
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
  return raw(requestedLeverage) > raw(shownLeverageOf(market, requested))
    ? refuse('quote_leverage_exceeds_maximum', hint)
    : refuse('quote_leverage_exceeds_model_max', hint);
}
