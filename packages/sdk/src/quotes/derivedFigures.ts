import {
  add,
  applyRate,
  formatUsd,
  leverageBps,
  liquidationPriceOf,
  multiplyDivide,
  originationFeeOf,
  type PricePips,
  partnerTradingFeeOf,
  priceOf,
  rateBps,
  raw,
  subtract,
  tokenUnits,
  toUsdPips,
  type UsdcUnits,
  type UsdPips,
  usdcUnits,
} from '@core/pricing';
import type { Quote } from '../generated/resources.ts';

/** Figures by their path in the quote, such as `max_gain.net_max_gain_usd`. */
export type Figures = Record<string, string | number>;

const whole = 10_000n;
const noFees = usdcUnits(0n);

/** Format the three wire fields of one amount. */
function money(name: string, units: UsdcUnits, pips: UsdPips): Figures {
  return {
    [`${name}_usd_pips`]: String(raw(pips)),
    [`${name}_usd`]: formatUsd(pips),
    [`${name}_usdc_units`]: String(raw(units)),
  };
}

function price(name: string, pips: PricePips): Figures {
  return { [`${name}_usd_pips`]: String(raw(pips)), [`${name}_usd`]: formatUsd(pips) };
}

/** Compute the figures that follow from the signed values and the partner's rates in the quote. */
export function figuresOfSize(quote: Quote): Figures {
  const notional = usdcUnits(BigInt(quote.notional_usdc_units));
  const combinedBps = rateBps(BigInt(quote.origination_fee_bps));
  const partnerBps = rateBps(BigInt(quote.partner_origination_fee_bps));
  const leverage = leverageBps(BigInt(quote.leverage_bps));
  const fee = originationFeeOf({
    notionalUsdcUnits: notional,
    leverageBps: leverage,
    terms: {
      originationTiers: [{ maxLeverageBps: leverage, feeBps: subtract(combinedBps, partnerBps) }],
      partnerOriginationFeeBps: partnerBps,
      contractMaxOriginationFeeBps: combinedBps,
    },
  });
  const partnerFee = partnerTradingFeeOf(notional, rateBps(BigInt(quote.partner_trading_fee_bps)));
  const tradingFee = usdcUnits(BigInt(quote.expected_open_trading_fee_usdc_units));
  const total = add(usdcUnits(BigInt(quote.collateral_usdc_units)), add(fee.originationFeeUsdcUnits, tradingFee));
  return {
    protocol_origination_fee_bps: Number(raw(fee.protocolOriginationFeeBps)),
    ...money('notional_amount', notional, toUsdPips(notional, 'down')),
    ...money('origination_fee', fee.originationFeeUsdcUnits, fee.originationFeeUsdPips),
    ...money('protocol_origination_fee', fee.protocolOriginationFeeUsdcUnits, fee.protocolOriginationFeeUsdPips),
    ...money('partner_origination_fee', fee.partnerOriginationFeeUsdcUnits, fee.partnerOriginationFeeUsdPips),
    ...money('partner_trading_fee', partnerFee, toUsdPips(partnerFee, 'up')),
    ...money('expected_open_trading_fee', tradingFee, toUsdPips(tradingFee, 'up')),
    ...money('total_user_amount', total, toUsdPips(total, 'up')),
    expires_at: new Date(Number(quote.signature_expiry) * 1_000).toISOString(),
  };
}

/** Compute the figures that also depend on the expected fill: prices, minimum tokens, gains. */
export function figuresOfFill(quote: Quote, basis: NonNullable<Quote['basis']>): Figures {
  const notional = usdcUnits(BigInt(quote.notional_usdc_units));
  const collateral = usdcUnits(BigInt(quote.collateral_usdc_units));
  const tokens = tokenUnits(BigInt(basis.position_token_units));
  const venueFee = usdcUnits(BigInt(basis.venue_fee_usdc_units));
  const tradingFee = add(venueFee, partnerTradingFeeOf(notional, rateBps(BigInt(quote.partner_trading_fee_bps))));
  const originationFee = applyRate(notional, rateBps(BigInt(quote.origination_fee_bps)), 'up');
  const gross = subtract(usdcUnits(raw(tokens)), notional);
  const net = subtract(subtract(gross, originationFee), tradingFee);
  const liquidation = liquidationPriceOf({
    principalUsdcUnits: subtract(notional, collateral),
    feesUsdcUnits: noFees,
    liquidationFeeBps: rateBps(BigInt(quote.liquidation_fee_bps)),
    exitBufferBps: rateBps(BigInt(basis.exit_buffer_bps)),
    tokenUnits: tokens,
  });
  const minimum = multiplyDivide(tokens, whole - BigInt(basis.slippage_bps), whole, 'down');
  return {
    // An atomic quote rounds the average of its fill up. A partial one counts its tokens at its displayed price, down.
    ...price('entry_price', priceOf(notional, tokens, quote.allow_partial_fill === true ? 'down' : 'up')),
    ...price('current_liquidation_price', liquidation),
    ...money('expected_open_trading_fee', tradingFee, toUsdPips(tradingFee, 'up')),
    min_expected_position_token_units: String(raw(minimum)),
    ...(quote.max_gain !== undefined && {
      ...money('max_gain.gross_max_gain', gross, toUsdPips(gross, 'down')),
      ...money('max_gain.net_max_gain', net, toUsdPips(net, 'down')),
    }),
  };
}
