import { expect } from 'vitest';
import { type Rounding, toUsdPips, type UsdcUnits } from '../src/index.ts';

/**
 * Compare every pips figure with its units figure: `…UsdPips` is `…UsdcUnits` rounded up for amounts that a user pays,
 * down for all others. Names in `except` are sums or differences of displayed pips.
 */
export function expectCompanions(figures: object, except: readonly string[] = []): void {
  const entries = new Map<string, UsdcUnits>(Object.entries(figures));
  let companions = 0;
  for (const [name, units] of entries) {
    if (!name.endsWith('UsdcUnits')) continue;
    const companion = name.replace('UsdcUnits', 'UsdPips');
    const pips = entries.get(companion);
    if (pips === undefined || except.includes(companion)) continue;
    const rounding: Rounding = /Fee|total/.test(name) ? 'up' : 'down';
    companions += 1;
    expect([companion, pips]).toEqual([companion, toUsdPips(units, rounding)]);
  }
  expect(companions).toBeGreaterThan(0);
}
