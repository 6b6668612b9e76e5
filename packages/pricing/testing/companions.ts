import { expect } from 'vitest';
import { type Rounding, toUsdPips, type UsdcUnits } from '../src/index.ts';

/**
 * Holds every pips figure to its units figure: `…UsdPips` is `…UsdcUnits` rounded up for what a user pays, down for
 * everything else. Names in `except` are sums or differences of pips shown.
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
