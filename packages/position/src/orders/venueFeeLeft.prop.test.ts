import { add, raw, subtract, type UsdcUnits, usdcUnits } from '@core/pricing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { venueFeeLeftOf } from './venueFeeLeft.ts';

const anyUnits = fc.bigInt({ min: 0n, max: 10n ** 12n }).map(usdcUnits);
const anyFills = fc.array(fc.record({ trade: anyUnits, fee: anyUnits }), { maxLength: 6 });
const sumOf = (parts: readonly UsdcUnits[]) => parts.reduce((sum, part) => add(sum, part), usdcUnits(0n));

test('all orders together spend at most their fills and the one budget', () => {
  fc.assert(
    fc.property(fc.tuple(anyUnits, anyUnits, anyUnits), anyFills, ([notional, venueFee, origination], wanted) => {
      let cash = sumOf([notional, venueFee, origination]);
      const fills: { trade: UsdcUnits; fee: UsdcUnits }[] = [];
      for (const { trade, fee } of wanted) {
        const fill = sumOf(fills.map((one) => one.trade));
        const remainder = venueFeeLeftOf({
          notionalUsdcUnits: notional,
          venueFeeUsdcUnits: venueFee,
          originationFeeUsdcUnits: origination,
          cashUsdcUnits: cash,
          filledUsdcUnits: fill,
        });
        expect(raw(remainder)).toBe(raw(venueFee) - raw(sumOf(fills.map((one) => one.fee))));
        if (raw(fee) > raw(remainder) || raw(fill) + raw(trade) > raw(notional)) continue;
        fills.push({ trade, fee });
        cash = subtract(cash, add(trade, fee));
      }
      expect(raw(sumOf(fills.map((one) => one.fee)))).toBeLessThanOrEqual(raw(venueFee));
    }),
  );
});

test('neither a donation nor a fill that is reported too high makes the budget larger', () => {
  fc.assert(
    fc.property(fc.tuple(anyUnits, anyUnits, anyUnits, anyUnits), ([notional, venueFee, cash, filled]) => {
      const remainder = venueFeeLeftOf({
        notionalUsdcUnits: notional,
        venueFeeUsdcUnits: venueFee,
        originationFeeUsdcUnits: usdcUnits(0n),
        cashUsdcUnits: cash,
        filledUsdcUnits: filled,
      });
      expect(raw(remainder)).toBeLessThanOrEqual(raw(venueFee));
      expect(raw(remainder)).toBeGreaterThanOrEqual(0n);
    }),
  );
});
