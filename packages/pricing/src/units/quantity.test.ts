import { expect, test } from 'vitest';
import { leverageBps, pricePips, rateBps, raw, tokenUnits, usdcUnits, usdPips } from './quantity.ts';

test('every constructor accepts only a bigint and names itself in its error', () => {
  for (const construct of [pricePips, usdPips, usdcUnits, tokenUnits, leverageBps, rateBps]) {
    expect(raw(construct(-7n))).toBe(-7n);
    for (const wrong of [7, 0.5, '7', null, undefined, {}, Number.NaN]) {
      expect(() => (construct as (amount: unknown) => unknown)(wrong)).toThrow(TypeError);
      expect(() => (construct as (amount: unknown) => unknown)(wrong)).toThrow(construct.name);
    }
  }
});
