import { type Rejection, reject } from '@core/errors';
import { chargedFeesOf, type PartnerTerms, sideOf } from '@core/policy';
import {
  bestAskOf,
  compare,
  constants,
  feeReportOf,
  max,
  multiplyDivide,
  raw,
  snapQuote,
  toUsdcUnits,
  toUsdPips,
} from '@core/pricing';
import type { FeeReportRequest } from '@core/wire';
import { answer, type Handler } from '../http/call.ts';
import { presentFeeReport } from '../present/presentFeeReport.ts';
import type { Service } from '../service.ts';

/** POST /fee-reports: every fee of a size. Validates like a quote, without eligibility and limits; signs nothing. */
export function createFeeReport({ markets, contract }: Service): Handler<'createFeeReport'> {
  return async ({ caller, body }) => {
    const market = markets.byTicker(body.market_ticker);
    if (market === null) return reject('customer_market_not_found');
    const { snapshot } = market;
    const venue = snapshot?.facts.venueFee ?? null;
    // Without the venue's own schedule there is nothing to report.
    if (snapshot === null || venue === null) return reject('quote_market_not_ready');
    const { terms } = caller.partner;
    const refusal = sizeRefusalOf(body, terms);
    if (refusal !== null) return refusal;
    const { book } = sideOf(snapshot, body.effective_side);
    const entryPricePips = body.entry_price_usd_pips ?? (book === null ? null : bestAskOf(book));
    if (entryPricePips === null) return reject('notional_selector_empty_order_book');
    const report = feeReportOf({
      notionalUsdPips: body.notional_amount_usd_pips,
      leverageBps: body.leverage_bps,
      entryPricePips,
      fees: { ...chargedFeesOf(terms.fees, contract), venue },
    });
    return answer(presentFeeReport(report, { ticker: body.market_ticker, side: body.effective_side }));
  };
}

/** The range checks of a quote, in their order. */
function sizeRefusalOf(body: FeeReportRequest, terms: PartnerTerms): Rejection | null {
  const { leverage_bps: leverage, notional_amount_usd_pips: notional } = body;
  if (compare(leverage, constants.minLeverageBps) < 0) {
    return reject('quote_leverage_below_minimum', {
      current_book_leverage_bps: leverage,
      min_leverage_bps: constants.minLeverageBps,
    });
  }
  if (compare(leverage, constants.maxLeverageBps) > 0) {
    return reject('quote_leverage_exceeds_maximum', {
      current_book_leverage_bps: leverage,
      max_leverage_bps: constants.maxLeverageBps,
    });
  }
  if (compare(notional, terms.minNotionalUsdPips) < 0) {
    return reject('quote_notional_below_minimum', {
      min_notional_usd_pips: terms.minNotionalUsdPips,
      requested_notional_usd_pips: notional,
    });
  }
  const floor = max(constants.minCollateralUsdcUnits, toUsdcUnits(terms.minCollateralUsdPips));
  const { collateralUsdcUnits } = snapQuote({ notionalUsdPips: notional, leverageBps: leverage });
  if (compare(collateralUsdcUnits, floor) >= 0) return null;
  // Highest step at which the notional still has the collateral: ⌊2500⌋(notional × 10,000 / floor).
  const step = raw(constants.leverageStepBps);
  const exact = (raw(toUsdcUnits(notional)) * 10_000n) / raw(floor);
  return reject('quote_leverage_exceeds_collateral_floor', {
    current_book_leverage_bps: leverage,
    current_collateral_usd_pips: toUsdPips(collateralUsdcUnits, 'down'),
    max_leverage_bps: multiplyDivide(constants.leverageStepBps, exact / step, 1n, 'down'),
    min_collateral_usd_pips: toUsdPips(floor, 'up'),
  });
}
