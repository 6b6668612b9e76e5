import {
  type FeeReport,
  type FeeSchedule,
  feeReportOf,
  type LeverageBps,
  leverageBps,
  liquidationPriceOf,
  maxGainFigures,
  type PricePips,
  quoteFigures,
  rateBps,
  raw,
  type UsdPips,
  usdcUnits,
  wireFiguresOf,
} from '@core/pricing';
import type { FeeRates, TicketQuote } from '@core/sdk';

/** Inputs of an estimate. */
interface EstimateInput {
  /** `feeRates` of the market. */
  readonly feeRates: FeeRates;
  readonly leverageBps: LeverageBps;
  readonly notionalUsdPips: UsdPips;
  /** Fill price of the whole order: the ask of the side. */
  readonly entryPricePips: PricePips;
  /** Slippage of the order, in basis points. */
  readonly slippageBps: number;
  /** `basis.exit_buffer_bps` of a draft of the same side; 0 ignores the sale buffer. */
  readonly exitBufferBps: number;
}

/**
 * Estimate the figures of an order while it is being sized, under the names of a quote. They equal a fee report at one
 * entry price, to the unit, with the liquidation price of that debt. The average price in the book may differ: a draft
 * has it.
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
  return {
    ...sizeOf(report),
    ...pricesOf(input.entryPricePips, liquidation),
    ...wireFiguresOf(quoteFigures, report),
    max_gain: wireFiguresOf(maxGainFigures, report),
    basis: basisOf(report, input),
  };
}

const textOf = (quantity: Parameters<typeof raw>[0]): string => String(raw(quantity));

function sizeOf(report: FeeReport) {
  return {
    leverage_bps: Number(raw(report.leverageBps)),
    notional_usdc_units: textOf(report.notionalUsdcUnits),
    notional_amount_usd_pips: textOf(report.notionalUsdPips),
    collateral_usdc_units: textOf(report.collateralUsdcUnits),
  };
}

function pricesOf(entry: PricePips, liquidation: PricePips) {
  return {
    entry_price_usd_pips: textOf(entry),
    current_liquidation_price_usd_pips: textOf(liquidation),
  };
}

function basisOf(report: FeeReport, { slippageBps, exitBufferBps }: EstimateInput): NonNullable<TicketQuote['basis']> {
  return {
    position_token_units: textOf(report.positionTokenUnits),
    venue_fee_usdc_units: textOf(report.venueFeeUsdcUnits),
    slippage_bps: slippageBps,
    exit_buffer_bps: exitBufferBps,
  };
}

/** Return the caller's fee schedule on a market. The venue's rate is shown in whole basis points. */
function scheduleOf(rates: FeeRates): FeeSchedule {
  if (rates.market === undefined) throw new TypeError('fee rates need a `ticker`');
  return {
    originationTiers: rates.origination_fee_tiers.map((tier) => ({
      maxLeverageBps: leverageBps(BigInt(tier.max_leverage_bps)),
      feeBps: rateBps(BigInt(tier.fee_bps)),
    })),
    // The tiers of the fee rates already include the partner's part.
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
