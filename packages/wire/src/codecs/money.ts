import { formatUsd, type PricePips, raw, type UsdcUnits, type UsdPips } from '@core/pricing';
import { type Prefixed, prefixed } from './prefixed.ts';

// Wire values of one amount with its companions. `moneyShapes.ts` contains their schemas.

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

/** Format money or a price in pips as `name_usd_pips` and `name_usd`; signed when the amount is. */
export function money<N extends string>(name: N, pips: UsdPips | PricePips): Prefixed<N, PipsWire> {
  return prefixed(name, pipsWireOf(pips));
}

/** Format money or a price as `name_usd_pips` and `name_usd`; both null when the amount is. */
export function nullableMoney<N extends string>(
  name: N,
  pips: UsdPips | PricePips | null,
): Prefixed<N, NullablePipsWire> {
  return prefixed(name, pips === null ? { usd_pips: null, usd: null } : pipsWireOf(pips));
}

/**
 * Format money as `name_usd_pips`, `name_usd` and `name_usdc_units`. Both amounts are arguments, because a total of
 * fees in pips is the sum of the displayed pips and not the rounded units.
 */
export function moneyPair<N extends string>(name: N, pips: UsdPips, units: UsdcUnits): Prefixed<N, UnitsWire> {
  return prefixed(name, { ...pipsWireOf(pips), usdc_units: String(raw(units)) });
}
