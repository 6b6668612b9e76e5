import { leverageBps, raw, usdcUnits } from '@core/pricing';
import { describe, expect, test } from 'vitest';
import { samplePosition } from '../../testing/samples.ts';
import { bookLeverageOf, effectiveLeverageOf } from './leverage.ts';

describe('leverage', () => {
  test('book leverage counts collateral and principal', () => {
    const books = { collateralUsdcUnits: usdcUnits(30n), principalUsdcUnits: usdcUnits(20n) };
    expect(raw(bookLeverageOf(books))).toBe(16_666n);
  });

  test('effective leverage is weighted by time and rounded down', () => {
    // 4x from 100 s on, 2x from 110 s on, 1x from 130 s on.
    const position = samplePosition(1, {
      openedAtMs: 100_000,
      leverageChangedAtMs: 130_000,
      leverageBpsSeconds: 40_000n * 10n + 20_000n * 20n,
      structuralLeverageBps: leverageBps(10_000n),
    });
    expect(raw(effectiveLeverageOf(position, 133_000))).toBe(25_151n);
    expect(raw(effectiveLeverageOf({ ...position, closedAtMs: 133_000, leverageChangedAtMs: 133_000 }, 200_000))).toBe(
      24_242n,
    );
    const entry = samplePosition(1, {
      openedAtMs: 100_000,
      leverageChangedAtMs: 100_000,
      structuralLeverageBps: leverageBps(40_000n),
    });
    expect(raw(effectiveLeverageOf(entry, 133_000))).toBe(40_000n);
    expect(raw(effectiveLeverageOf(entry, 100_000))).toBe(40_000n);
    expect(raw(effectiveLeverageOf({ ...entry, openedAtMs: null, leverageChangedAtMs: null }, 133_000))).toBe(40_000n);
  });
});
