import { pricePips, raw } from '@core/pricing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { policyDefaults } from '../defaults.ts';
import { openingEdgePipsOf, saleEdgeOf } from './grantBand.ts';
import { heldSaleFloorOf } from './heldSaleFloor.ts';

const { grant } = policyDefaults;
const anyMark = fc.bigInt({ min: 1n, max: 9_999n }).map((pips) => pricePips(pips));
const anyFee = fc.record({ ratePpm: fc.bigInt({ min: 0n, max: 70_000n }), exponent: fc.constantFrom(0n, 1n, 2n) });
const kinds = ['close', 'pricedClose', 'unwind', 'liquidate'] as const;

test('heldSaleFloorOf: bids that pay for any sale or pair inside the bands of the vault are at or above it', () => {
  fc.assert(
    fc.property(anyMark, anyFee, fc.constantFrom(...kinds), (mark, venueFee, kind) => {
      const floor = raw(heldSaleFloorOf(mark, grant));
      expect(floor).toBeLessThanOrEqual(raw(saleEdgeOf(kind, { markPricePips: mark, venueFee }, grant)));
      // A pair delivers the other token to an opening, and leaves this one.
      const purchase = { markPricePips: pricePips(10_000n - raw(mark)), venueFee };
      expect(floor).toBeLessThanOrEqual(10_000n - openingEdgePipsOf(purchase, grant));
    }),
    { numRuns: 2_000 },
  );
});

test('heldSaleFloorOf: it is above zero, rises with the mark, and is within the wider band under it', () => {
  fc.assert(
    fc.property(anyMark, anyMark, (mark, other) => {
      const floor = raw(heldSaleFloorOf(mark, grant));
      expect(floor).toBeGreaterThanOrEqual(1n);
      const fifth = raw(mark) / 5n;
      const tenthOfRest = (10_000n - raw(mark)) / 10n;
      const distance = fifth > tenthOfRest ? fifth : tenthOfRest;
      expect(floor === 1n || raw(mark) - floor <= distance).toBe(true);
      const isHigher = raw(other) >= raw(mark);
      expect(isHigher ? raw(heldSaleFloorOf(other, grant)) >= floor : true).toBe(true);
    }),
  );
});
