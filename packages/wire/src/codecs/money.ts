import { formatUsd, type PricePips, raw, type UsdcUnits, type UsdPips } from '@core/pricing';
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

/**
 * `name_usd_pips`, `name_usd` and `name_usdc_units`. Both amounts are given, because a total of fees in pips is the sum
 * of the pips shown and not its units rounded.
 */
export function moneyPair<N extends string>(name: N, pips: UsdPips, units: UsdcUnits): Prefixed<N, UnitsWire> {
  return prefixed(name, { ...pipsWireOf(pips), usdc_units: String(raw(units)) });
}
