import { leverageBps, pricePips, rateBps, usdcUnits, usdPips } from '@core/pricing';
import { expect, test } from 'vitest';
import { sampleContract, sampleRequest, sampleService, sampleSnapshot } from '../../testing/samples.ts';
import { policyDefaults } from '../defaults.ts';
import { partnerTermsOf } from '../partner/partnerTermsOf.ts';
import { decideFeeReport } from './decideFeeReport.ts';
import { decideUnknownMarket } from './decideUnknownMarket.ts';
import { quoteExpiryMsOf, quoteWindowOf } from './quoteWindow.ts';

const question = {
  side: 'yes' as const,
  leverageBps: leverageBps(50_000n),
  notionalUsdPips: usdPips(1_000_000n),
  entryPricePips: pricePips(5_000n),
};
const rules = { terms: partnerTermsOf(), contract: sampleContract };
const reportOf = (changes: Partial<typeof question>, terms = rules.terms) =>
  decideFeeReport({ ...question, ...changes }, sampleSnapshot(), { ...rules, terms });

test('a fee report is that of the size at the price that was given', () => {
  expect(reportOf({})).toMatchObject({ notionalUsdcUnits: usdcUnits(100_000_000n), entryPricePips: pricePips(5_000n) });
});

test('what a quote refuses of a size is refused here too, in its order', () => {
  expect(reportOf({ leverageBps: leverageBps(17_500n) })).toMatchObject({ code: 'quote_leverage_below_minimum' });
  expect(reportOf({ leverageBps: leverageBps(102_500n), notionalUsdPips: usdPips(1n) })).toMatchObject({
    code: 'quote_leverage_exceeds_maximum',
    params: { max_leverage_bps: leverageBps(100_000n) },
  });
  expect(reportOf({ notionalUsdPips: usdPips(1n) })).toMatchObject({ code: 'quote_notional_below_minimum' });
  const terms = partnerTermsOf({ minCollateralUsdPips: usdPips(300_000n) });
  expect(reportOf({}, terms)).toMatchObject({
    code: 'quote_leverage_exceeds_collateral_floor',
    // 100 USD over 30 USD of collateral is 3.33x: 3.25x on the step.
    params: { max_leverage_bps: leverageBps(32_500n), current_collateral_usd_pips: usdPips(200_000n) },
  });
});

test('nothing is reported before the market is observed', () => {
  expect(decideFeeReport(question, null, rules)).toMatchObject({ code: 'quote_market_not_ready' });
});

test('an unknown ticker is not found, after what is refused before any market is read', () => {
  const inputs = { terms: rules.terms, contract: sampleContract, service: sampleService };
  const refusalOf = (request: Parameters<typeof sampleRequest>[0]) =>
    decideUnknownMarket({ ...inputs, request: sampleRequest(request) }, { ticker: 'none', nowMs: 0 }).code;
  expect(refusalOf({})).toBe('customer_market_not_found');
  expect(refusalOf({ walletAddress: 'somewhere' })).toBe('quote_invalid_venue_wallet_address');
  expect(refusalOf({ minFillBps: rateBps(5_000n) })).toBe('quote_min_fill_bps_requires_fak');
});

test('a quote window starts on a full second; its reservation lasts for the grace beyond it', () => {
  const quote = { ...policyDefaults.quote, windowSeconds: 15, graceSeconds: 30 };
  const window = quoteWindowOf(1_000_999, { quote });
  expect(window).toEqual({ signatureExpirySeconds: 1_015n, releaseAtMs: 1_045_000 });
  expect(quoteExpiryMsOf(window)).toBe(1_015_000);
});
