import {
  type LeverageBps,
  leverageBps,
  type PricePips,
  pricePips,
  type RateBps,
  rateBps,
  raw,
  type TokenUnits,
  tokenUnits,
  type UsdcUnits,
  type UsdPips,
  usdcUnits,
  usdPips,
} from '@core/pricing';
import { z } from 'zod';

type Quantity = UsdPips | PricePips | UsdcUnits | TokenUnits | LeverageBps | RateBps;

/** Build the domain side of a codec: a bigint at run time, an opaque quantity to the compiler. */
function quantity<Q extends Quantity>(): z.ZodCustom<Q, Q> {
  return z.custom<Q>((value) => typeof value === 'bigint');
}

/** At most 18 digits: 10^18 pips are 10^14 USD, far above any tradable amount. */
const unsignedText = z.string().regex(/^(0|[1-9]\d{0,17})$/, 'must be a whole number without sign');
const signedText = z.string().regex(/^(0|-?[1-9]\d{0,17})$/, 'must be a whole number');

const pipsMeta = { description: 'Pips: 10,000 = 1.00 USD. Authoritative' };
const unitsMeta = { description: 'USDC units: 1,000,000 = 1.00 USD' };

/** Unsigned money in pips. */
export const usdPipsText = z.codec(unsignedText.meta(pipsMeta), quantity<UsdPips>(), {
  decode: (text) => usdPips(BigInt(text)),
  encode: (pips) => String(raw(pips)),
});

/** Signed money in pips: profit and loss, gains. */
export const signedUsdPipsText = z.codec(signedText.meta(pipsMeta), quantity<UsdPips>(), {
  decode: (text) => usdPips(BigInt(text)),
  encode: (pips) => String(raw(pips)),
});

/** Price of one token in pips. A liquidation price may exceed one dollar when the debt exceeds the position's worth. */
export const pricePipsText = z.codec(
  unsignedText.meta({ description: 'Price of one token in pips: 10,000 = 1.00 USD' }),
  quantity<PricePips>(),
  { decode: (text) => pricePips(BigInt(text)), encode: (pips) => String(raw(pips)) },
);

/** Unsigned USDC units, contract-ready. */
export const usdcUnitsText = z.codec(unsignedText.meta(unitsMeta), quantity<UsdcUnits>(), {
  decode: (text) => usdcUnits(BigInt(text)),
  encode: (units) => String(raw(units)),
});

/** Signed USDC units: gains. */
export const signedUsdcUnitsText = z.codec(signedText.meta(unitsMeta), quantity<UsdcUnits>(), {
  decode: (text) => usdcUnits(BigInt(text)),
  encode: (units) => String(raw(units)),
});

/** Outcome tokens: 1,000,000 units = 1 token. */
export const tokenUnitsText = z.codec(
  unsignedText.meta({ description: 'Token units: 1,000,000 = 1 token' }),
  quantity<TokenUnits>(),
  { decode: (text) => tokenUnits(BigInt(text)), encode: (units) => String(raw(units)) },
);

/** Leverage as a number of basis points: 10,000 = 1x. */
export const leverageBpsNumber = z.codec(
  z.int().meta({ description: 'Basis points: 10,000 = 1x' }),
  quantity<LeverageBps>(),
  { decode: (bps) => leverageBps(BigInt(bps)), encode: (bps) => Number(raw(bps)) },
);

/** Rate or ratio in basis points: 10,000 = 100 %. Negative where the field is signed. */
export const rateBpsNumber = z.codec(
  z.int().meta({ description: 'Basis points: 10,000 = 100 %' }),
  quantity<RateBps>(),
  { decode: (bps) => rateBps(BigInt(bps)), encode: (bps) => Number(raw(bps)) },
);
