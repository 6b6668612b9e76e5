import { usdText } from './formats.ts';
import { type Prefixed, prefixed } from './prefixed.ts';
import { pricePipsText, signedUsdPipsText, usdcUnitsText, usdPipsText } from './quantities.ts';

// Schemas of one amount with its companions. `money.ts` builds the values.

const moneyFields = { usd_pips: usdPipsText, usd: usdText };
const nullableMoneyFields = { usd_pips: usdPipsText.nullable(), usd: usdText.nullable() };
const signedMoneyFields = { usd_pips: signedUsdPipsText, usd: usdText };
const moneyUnitsFields = { ...moneyFields, usdc_units: usdcUnitsText };
const priceFields = { usd_pips: pricePipsText, usd: usdText };
const nullablePriceFields = { usd_pips: pricePipsText.nullable(), usd: usdText.nullable() };

/** Build the schemas of `name_usd_pips` and `name_usd`. */
export const moneyShape = <N extends string>(name: N): Prefixed<N, typeof moneyFields> => prefixed(name, moneyFields);

/** Build the schemas of `name_usd_pips` and `name_usd`, both null when unknown. */
export const nullableMoneyShape = <N extends string>(name: N): Prefixed<N, typeof nullableMoneyFields> =>
  prefixed(name, nullableMoneyFields);

/** Build the schemas of `name_usd_pips` and `name_usd`, possibly negative. */
export const signedMoneyShape = <N extends string>(name: N): Prefixed<N, typeof signedMoneyFields> =>
  prefixed(name, signedMoneyFields);

/** Build the schemas of `name_usd_pips`, `name_usd` and `name_usdc_units`. */
export const moneyUnitsShape = <N extends string>(name: N): Prefixed<N, typeof moneyUnitsFields> =>
  prefixed(name, moneyUnitsFields);

/** Build the schemas of the price fields `name_usd_pips` and `name_usd`. */
export const priceShape = <N extends string>(name: N): Prefixed<N, typeof priceFields> => prefixed(name, priceFields);

/** Build the schemas of the price fields `name_usd_pips` and `name_usd`, both null when unknown. */
export const nullablePriceShape = <N extends string>(name: N): Prefixed<N, typeof nullablePriceFields> =>
  prefixed(name, nullablePriceFields);
