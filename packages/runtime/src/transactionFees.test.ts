import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { bumpedFeesOf, offeredFeesOf } from './transactionFees.ts';

test('a replacement pays at least an eighth more, and never less than the present price', () => {
  const fees = fc.record({ maxFeePerGasWei: fc.bigInt(1n, 10n ** 12n), maxPriorityFeeWei: fc.bigInt(0n, 10n ** 12n) });
  fc.assert(
    fc.property(fees, fees, (last, present) => {
      const bumped = bumpedFeesOf(last, present);
      for (const name of ['maxFeePerGasWei', 'maxPriorityFeeWei'] as const) {
        expect(bumped[name] * 1_000n).toBeGreaterThanOrEqual(last[name] * 1_125n);
        expect(bumped[name]).toBeGreaterThanOrEqual(present[name]);
      }
    }),
  );
});

test('a new transaction offers twice the price, and no fee above the ceiling', () => {
  const price = { maxFeePerGas: 45n, maxPriorityFeePerGas: 20n };
  expect(offeredFeesOf(price, 100n)).toEqual({ maxFeePerGasWei: 90n, maxPriorityFeeWei: 20n });
  expect(offeredFeesOf(price, 50n)).toEqual({ maxFeePerGasWei: 50n, maxPriorityFeeWei: 20n });
  expect(offeredFeesOf(price, 10n)).toEqual({ maxFeePerGasWei: 10n, maxPriorityFeeWei: 10n });
});
