import { feeReportFigures } from '@core/pricing';
import { z } from 'zod';
import { figureShape } from '../codecs/figures.ts';
import { leverageBpsNumber, pricePipsText, rateBpsNumber, usdcUnitsText, usdPipsText } from '../codecs/quantities.ts';
import { originationTier, sideValue } from './market.ts';

/**
 * Measured cost of fills in the category of a market in the last day (house extension), fees included, as a share of
 * the value. An opening has its value at the entry price of its quote and costs what is paid above that; a close at the
 * mid, and costs what is received below that. Below 0 for better fills.
 */
const measuredCost = z.object({
  kind: z.enum(['opening', 'close']),
  min_value_usd_pips: usdPipsText.meta({ description: 'Value that every fill of the class exceeds' }),
  max_value_usd_pips: usdPipsText
    .nullable()
    .meta({ description: 'Largest value of a fill in the class; null for all larger ones' }),
  cost_bps: z.int().meta({
    description: 'Paid above the entry price of the quote, or received below the mid, as a share of the value there',
  }),
  fill_count: z.int(),
});

/** Fee rates of a caller (specification, Resources, Fee rates). */
export const feeRates = z
  .object({
    contract_max_origination_fee_bps: rateBpsNumber,
    lifetime_fee_apr_bps: rateBpsNumber,
    liquidation_fee_bps: rateBpsNumber,
    origination_fee_tiers: z.array(originationTier),
    partner_origination_fee_bps: rateBpsNumber.meta({ deprecated: true }),
    partner_trading_fee_bps: rateBpsNumber,
    market: z
      .object({
        ticker: z.string(),
        venue_fee_exponent: z.int(),
        venue_trading_fee_bps: rateBpsNumber,
        measured_costs: z.array(measuredCost),
      })
      .optional()
      .meta({ description: 'Only with `ticker`' }),
  })
  .meta({ id: 'FeeRates' });

/** Fee report (specification, Resources, Fee report). */
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
    ...figureShape(feeReportFigures),
  })
  .meta({ id: 'FeeReport' });

export type FeeReportWire = z.input<typeof feeReport>;
