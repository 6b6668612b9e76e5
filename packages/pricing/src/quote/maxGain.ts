import { subtract } from '../units/arithmetic.ts';
import { toUsdPips } from '../units/conversion.ts';
import { raw, type TokenUnits, type UsdcUnits, type UsdPips, usdcUnits } from '../units/quantity.ts';

/** Maximum gain of an opening; both figures may be negative. */
export interface MaxGain {
  readonly grossMaxGainUsdcUnits: UsdcUnits;
  readonly grossMaxGainUsdPips: UsdPips;
  readonly netMaxGainUsdcUnits: UsdcUnits;
  readonly netMaxGainUsdPips: UsdPips;
}

/**
 * Compute the maximum gain of an opening (specification, `max_gain`). Gross: tokens redeemed at 1 USD less the
 * notional. Net: also less origination and opening trading fee; lifetime fees are excluded, so it is an upper bound.
 * Pips are rounded towards minus infinity.
 */
export function maxGainOf({
  tokenUnits,
  notionalUsdcUnits,
  originationFeeUsdcUnits,
  expectedOpenTradingFeeUsdcUnits,
}: {
  readonly tokenUnits: TokenUnits;
  readonly notionalUsdcUnits: UsdcUnits;
  readonly originationFeeUsdcUnits: UsdcUnits;
  readonly expectedOpenTradingFeeUsdcUnits: UsdcUnits;
}): MaxGain {
  // A winning token pays 1 USD, and both have six decimals: its units are USDC units.
  const gross = subtract(usdcUnits(raw(tokenUnits)), notionalUsdcUnits);
  const net = subtract(subtract(gross, originationFeeUsdcUnits), expectedOpenTradingFeeUsdcUnits);
  return {
    grossMaxGainUsdcUnits: gross,
    grossMaxGainUsdPips: toUsdPips(gross, 'down'),
    netMaxGainUsdcUnits: net,
    netMaxGainUsdPips: toUsdPips(net, 'down'),
  };
}
