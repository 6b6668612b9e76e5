import { OrderSide } from '@core/vault';
import { describe, expect, it } from 'vitest';
import { takerGivesOf } from './takerGives.ts';

const buy = { side: OrderSide.Buy, makerAmount: 50_000_000n, takerAmount: 100_000_000n };
const parts = [
  { tokenUnits: 30_000_000n, takerPricePips: 4_800n },
  { tokenUnits: 20_010_000n, takerPricePips: 4_900n },
];

describe('amount given by a taker', () => {
  it('is the cost of its fills', () => {
    expect(takerGivesOf(buy, parts, false)).toBe(14_400_000n + 9_804_900n);
  });

  it('is, if gross, the cost at its own limit, rounded up and at most its money', () => {
    expect(takerGivesOf(buy, parts, true)).toBe(25_005_000n);
    expect(takerGivesOf({ ...buy, takerAmount: 99_999_999n }, parts, true)).toBe(25_005_001n);
    const better = [{ tokenUnits: 101_000_000n, takerPricePips: 4_900n }];
    expect(takerGivesOf(buy, better, true)).toBe(50_000_000n);
  });

  it('is the tokens of a sale either way', () => {
    const sell = { side: OrderSide.Sell, makerAmount: 60_000_000n, takerAmount: 20_000_000n };
    for (const isGross of [true, false]) expect(takerGivesOf(sell, parts, isGross)).toBe(50_010_000n);
  });
});
