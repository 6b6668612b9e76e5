import { usdText } from './formats.ts';
import { type Prefixed, prefixed } from './prefixed.ts';
import { pricePipsText, signedUsdcUnitsText, signedUsdPipsText, usdcUnitsText, usdPipsText } from './quantities.ts';

// The companions of one amount, spelled once. `money.ts` holds the values that fit these shapes.

const moneyFields = { usd_pips: usdPipsText, usd: usdText };
const nullableMoneyFields = { usd_pips: usdPipsText.nullable(), usd: usdText.nullable() };
const signedMoneyFields = { usd_pips: signedUsdPipsText, usd: usdText };
const moneyUnitsFields = { ...moneyFields, usdc_units: usdcUnitsText };
const signedMoneyUnitsFields = { ...signedMoneyFields, usdc_units: signedUsdcUnitsText };
const priceFields = { usd_pips: pricePipsText, usd: usdText };
const nullablePriceFields = { usd_pips: pricePipsText.nullable(), usd: usdText.nullable() };

/** `name_usd_pips` and `name_usd`. */
export const moneyShape = <N extends string>(name: N): Prefixed<N, typeof moneyFields> => prefixed(name, moneyFields);

/** The same two, both null when unknown. */
export const nullableMoneyShape = <N extends string>(name: N): Prefixed<N, typeof nullableMoneyFields> =>
  prefixed(name, nullableMoneyFields);

/** The same two, possibly negative. */
export const signedMoneyShape = <N extends string>(name: N): Prefixed<N, typeof signedMoneyFields> =>
  prefixed(name, signedMoneyFields);

/** `name_usd_pips`, `name_usd` and `name_usdc_units`. */
export const moneyUnitsShape = <N extends string>(name: N): Prefixed<N, typeof moneyUnitsFields> =>
  prefixed(name, moneyUnitsFields);

/** The same three, possibly negative. */
export const signedMoneyUnitsShape = <N extends string>(name: N): Prefixed<N, typeof signedMoneyUnitsFields> =>
  prefixed(name, signedMoneyUnitsFields);

/** `name_usd_pips` and `name_usd` of a price. */
export const priceShape = <N extends string>(name: N): Prefixed<N, typeof priceFields> => prefixed(name, priceFields);

/** The same two, both null when unknown. */
export const nullablePriceShape = <N extends string>(name: N): Prefixed<N, typeof nullablePriceFields> =>
  prefixed(name, nullablePriceFields);
