import { z } from 'zod';
import {
  leverageBpsNumber,
  pricePipsText,
  rateBpsNumber,
  signedUsdcUnitsText,
  usdcUnitsText,
  usdPipsText,
} from '../codecs/quantities.ts';
import { originationTier, sideValue } from './market.ts';

/** Specification, Resources, Fee rates. */
export const feeRates = z
  .object({
    contract_max_origination_fee_bps: rateBpsNumber,
    lifetime_fee_apr_bps: rateBpsNumber,
    liquidation_fee_bps: rateBpsNumber,
    origination_fee_tiers: z.array(originationTier),
    partner_origination_fee_bps: rateBpsNumber.meta({ deprecated: true }),
    partner_trading_fee_bps: rateBpsNumber,
    market: z
      .object({ ticker: z.string(), venue_fee_exponent: z.int(), venue_trading_fee_bps: rateBpsNumber })
      .optional()
      .meta({ description: 'Only when `ticker` was given' }),
  })
  .meta({ id: 'FeeRates' });

/** Specification, Resources, Fee report. */
export const feeReport = z
  .object({
    market_ticker: z.string(),
    effective_side: sideValue,
    leverage_bps: leverageBpsNumber,
    notional_amount_usd_pips: usdPipsText,
    notional_usdc_units: usdcUnitsText,
    collateral_usdc_units: usdcUnitsText,
    entry_price_usd_pips: pricePipsText,
    estimated_liquidation_price_usd_pips: pricePipsText,
    expected_open_trading_fee_usdc_units: usdcUnitsText,
    gross_max_gain_usdc_units: signedUsdcUnitsText,
    net_max_gain_usdc_units: signedUsdcUnitsText,
    origination_fee_bps: rateBpsNumber,
    origination_fee_usdc_units: usdcUnitsText,
    protocol_origination_fee_bps: rateBpsNumber,
    partner_origination_fee_bps: rateBpsNumber,
    partner_trading_fee_bps: rateBpsNumber,
    venue_trading_fee_bps: rateBpsNumber,
    total_user_amount_usdc_units: usdcUnitsText,
  })
  .meta({ id: 'FeeReport' });

export type FeeRatesWire = z.input<typeof feeRates>;
export type FeeReportWire = z.input<typeof feeReport>;
