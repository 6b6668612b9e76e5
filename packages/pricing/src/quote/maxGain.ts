import { subtract } from '../units/arithmetic.ts';
import { toUsdPips } from '../units/conversion.ts';
import { raw, type TokenUnits, type UsdcUnits, type UsdPips, usdcUnits } from '../units/quantity.ts';

/** The maximum an opening can gain; both figures may be negative. */
export interface MaxGain {
  readonly grossMaxGainUsdcUnits: UsdcUnits;
  readonly grossMaxGainUsdPips: UsdPips;
  readonly netMaxGainUsdcUnits: UsdcUnits;
  readonly netMaxGainUsdPips: UsdPips;
}

/**
 * Gross: tokens redeemed at 1 USD less the notional. Net: less origination and opening trading fee too; lifetime fees
 * are not in it, so it is an upper bound. Pips rounded towards minus infinity (specification, `max_gain`).
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
