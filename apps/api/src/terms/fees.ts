import { isRejection, reject } from '@core/errors';
import { type ContractTerms, decideFeeReport, shownTiersOf } from '@core/policy';
import { type FeeReport, feeReportFigures, raw, venueTradingFeeBpsOf, wireFiguresOf } from '@core/pricing';
import type { FillCostReport } from '@core/runtime';
import type { FeeReportWire } from '@core/wire';
import { answer, type Call, type Handler } from '../http/call.ts';
import type { KeeperView } from '../markets/keeperView.ts';
import type { MarketDirectory } from '../markets/marketDirectory.ts';
import { presentTiers } from '../markets/presentMarket.ts';

/** Sources of fees: the venue's schedule of each market, and the vault's cap. */
interface FeeSource {
  readonly markets: Pick<MarketDirectory, 'find'>;
  readonly contract: ContractTerms;
}

interface RateSource extends FeeSource {
  readonly keeper: Pick<KeeperView, 'fillCostsOf'>;
}

/** GET /fee-rates: the caller's schedule, the vault's cap, and the venue's rate of a market when a ticker is given. */
export function getFeeRates({ markets, contract, keeper }: RateSource): Handler<'getFeeRates'> {
  return async ({ caller, query }) => {
    const { terms } = caller.partner;
    const { fees } = terms;
    const rates = {
      contract_max_origination_fee_bps: Number(raw(contract.maxOriginationFeeBps)),
      lifetime_fee_apr_bps: Number(raw(fees.lifetimeFeeAprBps)),
      liquidation_fee_bps: Number(raw(fees.liquidationFeeBps)),
      origination_fee_tiers: presentTiers(shownTiersOf(terms, contract)),
      partner_origination_fee_bps: Number(raw(fees.partnerOriginationFeeBps)),
      partner_trading_fee_bps: Number(raw(fees.partnerTradingFeeBps)),
    };
    if (query.ticker === undefined) return answer(rates);
    const record = await markets.find(query.ticker);
    if (record === null) return reject('customer_market_not_found');
    const facts = record.snapshot?.facts;
    if (facts === undefined || facts.venueFee === null) return reject('quote_market_not_ready');
    const { category, venueFee } = facts;
    const market = {
      ticker: query.ticker,
      venue_fee_exponent: Number(venueFee.exponent),
      venue_trading_fee_bps: Number(raw(venueTradingFeeBpsOf(venueFee))),
      measured_costs: keeper.fillCostsOf(category).map(presentCost),
    };
    return answer({ ...rates, market });
  };
}

function presentCost({ kind, minUsd, maxUsd, costBps, fillCount }: FillCostReport) {
  return {
    kind: kind === 'sale' ? ('close' as const) : kind,
    min_value_usd_pips: `${minUsd * 10_000}`,
    max_value_usd_pips: maxUsd === null ? null : `${maxUsd * 10_000}`,
    cost_bps: costBps,
    fill_count: fillCount,
  };
}

/** POST /fee-reports: every fee of a size. Validates like a quote, without eligibility and limits; signs nothing. */
export function createFeeReport({ markets, contract }: FeeSource): Handler<'createFeeReport'> {
  return async ({ caller, body }) => {
    const market = await markets.find(body.market_ticker);
    if (market === null) return reject('customer_market_not_found');
    const question = {
      side: body.effective_side,
      leverageBps: body.leverage_bps,
      notionalUsdPips: body.notional_amount_usd_pips,
      entryPricePips: body.entry_price_usd_pips ?? null,
    };
    const report = decideFeeReport(question, market.snapshot, { terms: caller.partner.terms, contract });
    return isRejection(report) ? report : answer(presentFeeReport(report, body));
  };
}

function presentFeeReport(report: FeeReport, body: Call<'createFeeReport'>['body']): FeeReportWire {
  return {
    market_ticker: body.market_ticker,
    effective_side: body.effective_side,
    leverage_bps: Number(raw(report.leverageBps)),
    notional_amount_usd_pips: String(raw(report.notionalUsdPips)),
    notional_usdc_units: String(raw(report.notionalUsdcUnits)),
    collateral_usdc_units: String(raw(report.collateralUsdcUnits)),
    entry_price_usd_pips: String(raw(report.entryPricePips)),
    estimated_liquidation_price_usd_pips: String(raw(report.estimatedLiquidationPricePips)),
    ...wireFiguresOf(feeReportFigures, report),
  };
}
