import {
  applyRate,
  leverageBps,
  originationFeeBpsOf,
  partnerTradingFeeOf,
  rateBps,
  raw,
  usdcUnits,
} from '@core/pricing';
import type { FeeRates, Market, Quote } from '../generated/resources.ts';

/** Field of the quote and its expected value. */
export type Fact = readonly [field: string, expected: unknown];

/** Terms of the market and of the caller, as returned by their routes. */
export interface KnownTerms {
  readonly market?: Market | undefined;
  readonly feeRates?: FeeRates | undefined;
  readonly slippageBps?: number | undefined;
}

/** Return the rates of the quote that other responses of the service contain as well. */
export function ratesOf(quote: Quote, { market, feeRates, slippageBps }: KnownTerms): Fact[] {
  return [
    ...(market === undefined ? [] : ratesOfMarket(quote, market)),
    ...(feeRates === undefined ? [] : ratesOfCaller(feeRates)),
    ...(slippageBps === undefined || quote.basis === undefined ? [] : [['basis.slippage_bps', slippageBps] as const]),
  ];
}

function ratesOfMarket(quote: Quote, { ticker, fees }: Market): Fact[] {
  const tiers = fees.origination_tiers.map(({ max_leverage_bps, fee_bps }) => ({
    maxLeverageBps: leverageBps(BigInt(max_leverage_bps)),
    feeBps: rateBps(BigInt(fee_bps)),
  }));
  return [
    ['market_ticker', ticker],
    ['origination_fee_bps', Number(raw(originationFeeBpsOf(tiers, leverageBps(BigInt(quote.leverage_bps)))))],
    ['lifetime_fee_apr_bps', fees.lifetime_fee_apr_bps],
    ['liquidation_fee_bps', fees.liquidation_fee_bps],
  ];
}

function ratesOfCaller(rates: FeeRates): Fact[] {
  return [
    ['lifetime_fee_apr_bps', rates.lifetime_fee_apr_bps],
    ['liquidation_fee_bps', rates.liquidation_fee_bps],
    ['partner_trading_fee_bps', rates.partner_trading_fee_bps],
    ...(rates.market === undefined ? [] : [['venue_trading_fee_bps', rates.market.venue_trading_fee_bps] as const]),
  ];
}

/**
 * Return the partner's two rates. They are not signed, and amounts derive from them. When rate and amount differ, a
 * third figure decides which one is wrong, so that the right one is named.
 */
export function partnerRatesOf(quote: Quote): Fact[] {
  const notional = usdcUnits(BigInt(quote.notional_usdc_units));
  const originationBps = quote.origination_fee_bps - quote.protocol_origination_fee_bps;
  const ofOrigination = raw(applyRate(notional, rateBps(BigInt(quote.partner_origination_fee_bps)), 'down'));
  const isProtocolWrong = String(ofOrigination) === quote.partner_origination_fee_usdc_units;
  const facts: Fact[] = isProtocolWrong ? [] : [['partner_origination_fee_bps', originationBps]];
  if (quote.basis === undefined) return facts;
  const shownUnits = BigInt(quote.partner_trading_fee_usdc_units);
  const ofTrading = raw(partnerTradingFeeOf(notional, rateBps(BigInt(quote.partner_trading_fee_bps))));
  const sum = BigInt(quote.basis.venue_fee_usdc_units) + shownUnits;
  const isRateWrong = ofTrading !== shownUnits && String(sum) === quote.expected_open_trading_fee_usdc_units;
  // A rounded amount does not determine its rate; it only proves that the rate is another one.
  return isRateWrong ? [...facts, ['partner_trading_fee_bps', `a rate whose fee is ${shownUnits}`]] : facts;
}
