import type { Side } from '@core/policy';
import { type FeeReport, raw } from '@core/pricing';
import type { FeeReportWire } from '@core/wire';

/** The wire form of a fee report. */
export function presentFeeReport(report: FeeReport, subject: { ticker: string; side: Side }): FeeReportWire {
  return {
    market_ticker: subject.ticker,
    effective_side: subject.side,
    leverage_bps: Number(raw(report.leverageBps)),
    notional_amount_usd_pips: String(raw(report.notionalUsdPips)),
    notional_usdc_units: String(raw(report.notionalUsdcUnits)),
    collateral_usdc_units: String(raw(report.collateralUsdcUnits)),
    entry_price_usd_pips: String(raw(report.entryPricePips)),
    estimated_liquidation_price_usd_pips: String(raw(report.estimatedLiquidationPricePips)),
    expected_open_trading_fee_usdc_units: String(raw(report.expectedOpenTradingFeeUsdcUnits)),
    gross_max_gain_usdc_units: String(raw(report.grossMaxGainUsdcUnits)),
    net_max_gain_usdc_units: String(raw(report.netMaxGainUsdcUnits)),
    origination_fee_bps: Number(raw(report.originationFeeBps)),
    origination_fee_usdc_units: String(raw(report.originationFeeUsdcUnits)),
    protocol_origination_fee_bps: Number(raw(report.protocolOriginationFeeBps)),
    partner_origination_fee_bps: Number(raw(report.partnerOriginationFeeBps)),
    partner_trading_fee_bps: Number(raw(report.partnerTradingFeeBps)),
    venue_trading_fee_bps: Number(raw(report.venueTradingFeeBps)),
    total_user_amount_usdc_units: String(raw(report.totalUserAmountUsdcUnits)),
  };
}
