import {
  type FeeReport,
  type FeeSchedule,
  feeReportOf,
  formatUsd,
  type LeverageBps,
  leverageBps,
  liquidationPriceOf,
  type PricePips,
  rateBps,
  raw,
  type UsdPips,
  usdcUnits,
} from '@core/pricing';
import type { FeeRates, TicketQuote } from '@core/sdk';

/** What an estimate is made of. */
interface EstimateInput {
  /** `feeRates` of the market. */
  readonly feeRates: FeeRates;
  readonly leverageBps: LeverageBps;
  readonly notionalUsdPips: UsdPips;
  /** Price at which everything is bought: the ask of the side. */
  readonly entryPricePips: PricePips;
  /** `basis.exit_buffer_bps` of a draft of the same side; 0 leaves the room for the sale out. */
  readonly exitBufferBps: number;
}

/**
 * Figures of an order while it is being sized, under the names they have in a quote: those of a fee report at one entry
 * price, to the unit, and the liquidation price of that debt. The book may give another average price: a draft says.
 * @throws TypeError for fee rates without a market; RangeError for a leverage off the step or above every tier.
 */
export function estimateOf(input: EstimateInput): TicketQuote {
  const schedule = scheduleOf(input.feeRates);
  const report = feeReportOf({
    notionalUsdPips: input.notionalUsdPips,
    leverageBps: input.leverageBps,
    entryPricePips: input.entryPricePips,
    fees: schedule,
  });
  const liquidation = liquidationPriceOf({
    principalUsdcUnits: report.borrowUsdcUnits,
    feesUsdcUnits: usdcUnits(0n),
    tokenUnits: report.positionTokenUnits,
    liquidationFeeBps: schedule.liquidationFeeBps,
    exitBufferBps: rateBps(BigInt(input.exitBufferBps)),
  });
  return { ...sizeOf(report), ...pricesOf(input.entryPricePips, liquidation), ...feesOf(report, input) };
}

const textOf = (quantity: Parameters<typeof raw>[0]): string => String(raw(quantity));

function sizeOf(report: FeeReport) {
  return {
    leverage_bps: Number(raw(report.leverageBps)),
    notional_usdc_units: textOf(report.notionalUsdcUnits),
    notional_amount_usd_pips: textOf(report.notionalUsdPips),
    collateral_usdc_units: textOf(report.collateralUsdcUnits),
    total_user_amount_usdc_units: textOf(report.totalUserAmountUsdcUnits),
    total_user_amount_usd_pips: textOf(report.totalUserAmountUsdPips),
  };
}

function pricesOf(entry: PricePips, liquidation: PricePips) {
  return {
    entry_price_usd_pips: textOf(entry),
    current_liquidation_price_usd_pips: textOf(liquidation),
  };
}

function feesOf(report: FeeReport, { exitBufferBps }: EstimateInput) {
  const { grossMaxGainUsdPips: gross, netMaxGainUsdPips: net } = report;
  return {
    origination_fee_bps: Number(raw(report.originationFeeBps)),
    origination_fee_usdc_units: textOf(report.originationFeeUsdcUnits),
    expected_open_trading_fee_usdc_units: textOf(report.expectedOpenTradingFeeUsdcUnits),
    lifetime_fee_apr_bps: Number(raw(report.lifetimeFeeAprBps)),
    venue_trading_fee_bps: Number(raw(report.venueTradingFeeBps)),
    max_gain: {
      gross_max_gain_usd_pips: textOf(gross),
      gross_max_gain_usd: formatUsd(gross),
      gross_max_gain_usdc_units: textOf(report.grossMaxGainUsdcUnits),
      net_max_gain_usd_pips: textOf(net),
      net_max_gain_usd: formatUsd(net),
      net_max_gain_usdc_units: textOf(report.netMaxGainUsdcUnits),
    },
    basis: {
      position_token_units: textOf(report.positionTokenUnits),
      venue_fee_usdc_units: textOf(report.venueFeeUsdcUnits),
      // A fee report knows one price: nothing slips.
      slippage_bps: 0,
      exit_buffer_bps: exitBufferBps,
    },
  };
}

/** The caller's schedule on a market. The venue's rate is shown in whole basis points. */
function scheduleOf(rates: FeeRates): FeeSchedule {
  if (rates.market === undefined) throw new TypeError('ask for the fee rates with `ticker`');
  return {
    originationTiers: rates.origination_fee_tiers.map((tier) => ({
      maxLeverageBps: leverageBps(BigInt(tier.max_leverage_bps)),
      feeBps: rateBps(BigInt(tier.fee_bps)),
    })),
    // The tiers of the fee rates carry the partner's part already.
    partnerOriginationFeeBps: rateBps(0n),
    contractMaxOriginationFeeBps: rateBps(BigInt(rates.contract_max_origination_fee_bps)),
    partnerTradingFeeBps: rateBps(BigInt(rates.partner_trading_fee_bps)),
    lifetimeFeeAprBps: rateBps(BigInt(rates.lifetime_fee_apr_bps)),
    liquidationFeeBps: rateBps(BigInt(rates.liquidation_fee_bps)),
    venue: {
      ratePpm: BigInt(rates.market.venue_trading_fee_bps) * 100n,
      exponent: BigInt(rates.market.venue_fee_exponent),
    },
  };
}
