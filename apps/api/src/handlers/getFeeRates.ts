import { reject } from '@core/errors';
import { raw, venueTradingFeeBpsOf } from '@core/pricing';
import { answer, type Handler } from '../http/call.ts';
import { presentTiers } from '../present/presentMarket.ts';
import type { Service } from '../service.ts';

/** GET /fee-rates: the caller's schedule, the vault's cap, and the venue's rate of a market when a ticker is given. */
export function getFeeRates({ markets, contract }: Service): Handler<'getFeeRates'> {
  return async ({ caller, query }) => {
    const { fees } = caller.partner.terms;
    const rates = {
      contract_max_origination_fee_bps: Number(raw(contract.maxOriginationFeeBps)),
      lifetime_fee_apr_bps: Number(raw(fees.lifetimeFeeAprBps)),
      liquidation_fee_bps: Number(raw(fees.liquidationFeeBps)),
      origination_fee_tiers: presentTiers(fees, contract),
      partner_origination_fee_bps: Number(raw(fees.partnerOriginationFeeBps)),
      partner_trading_fee_bps: Number(raw(fees.partnerTradingFeeBps)),
    };
    if (query.ticker === undefined) return answer(rates);
    const found = markets.byTicker(query.ticker);
    if (found === null) return reject('customer_market_not_found');
    const venueFee = found.snapshot?.facts.venueFee ?? null;
    if (venueFee === null) return reject('quote_market_not_ready');
    const market = {
      ticker: query.ticker,
      venue_fee_exponent: Number(venueFee.exponent),
      venue_trading_fee_bps: Number(raw(venueTradingFeeBpsOf(venueFee))),
    };
    return answer({ ...rates, market });
  };
}
