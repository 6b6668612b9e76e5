import { formatUsd, type PricePips, type Rounding, raw, toUsdPips, type UsdcUnits, type UsdPips } from '@core/pricing';
import { type Prefixed, prefixed } from './prefixed.ts';

// The wire form of one amount with its companions. `moneyShapes.ts` holds the schemas these values fit.

interface PipsWire {
  usd_pips: string;
  usd: string;
}
interface NullablePipsWire {
  usd_pips: string | null;
  usd: string | null;
}
interface UnitsWire extends PipsWire {
  usdc_units: string;
}

function pipsWireOf(pips: UsdPips | PricePips): PipsWire {
  return { usd_pips: String(raw(pips)), usd: formatUsd(pips) };
}

/** `name_usd_pips` and `name_usd` of money kept in pips, or of a price; signed when the amount is. */
export function money<N extends string>(name: N, pips: UsdPips | PricePips): Prefixed<N, PipsWire> {
  return prefixed(name, pipsWireOf(pips));
}

/** The same two, both null when the amount is. */
export function nullableMoney<N extends string>(
  name: N,
  pips: UsdPips | PricePips | null,
): Prefixed<N, NullablePipsWire> {
  return prefixed(name, pips === null ? { usd_pips: null, usd: null } : pipsWireOf(pips));
}

/** `name_usd_pips` and `name_usd` of money kept in units: `up` for what a user pays, `down` for everything else. */
export function moneyOf<N extends string>(amount: {
  name: N;
  units: UsdcUnits;
  rounding: Rounding;
}): Prefixed<N, PipsWire> {
  return prefixed(amount.name, pipsWireOf(toUsdPips(amount.units, amount.rounding)));
}

/** `name_usd_pips`, `name_usd` and `name_usdc_units`; the units are exact, the pips rounded as named. */
export function moneyUnits<N extends string>(amount: {
  name: N;
  units: UsdcUnits;
  rounding: Rounding;
}): Prefixed<N, UnitsWire> {
  return prefixed(amount.name, {
    ...pipsWireOf(toUsdPips(amount.units, amount.rounding)),
    usdc_units: String(raw(amount.units)),
  });
}

/** The same three where both amounts are known already: a total of fees in pips is the sum of the pips shown. */
export function moneyPair<N extends string>(name: N, pips: UsdPips, units: UsdcUnits): Prefixed<N, UnitsWire> {
  return prefixed(name, { ...pipsWireOf(pips), usdc_units: String(raw(units)) });
}
