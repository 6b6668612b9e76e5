import { pricePips, raw, venueFeeShareBpsOf } from '@core/pricing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { policyDefaults } from '../defaults.ts';
import { isCostInBand, openingEdgePipsOf, saleEdgeOf } from './grantBand.ts';

const { grant } = policyDefaults;
const anySaleKind = fc.constantFrom('close', 'pricedClose', 'unwind', 'liquidate');
const anyPrice = fc.bigInt(1n, 9_999n);
const anyMarked = fc.record({
  markPricePips: anyPrice.map(pricePips),
  venueFee: fc.record({ ratePpm: fc.bigInt(0n, 250_000n), exponent: fc.bigInt(0n, 4n) }),
});
type Marked = typeof anyMarked extends fc.Arbitrary<infer Value> ? Value : never;

const feeAt = (price: bigint, { venueFee }: Marked) =>
  venueFeeShareBpsOf({ pricePips: pricePips(price), schedule: venueFee });

test('law: the vault takes the edge of a sale and all above, and nothing below, with the fee of each price', () => {
  fc.assert(
    fc.property(anySaleKind, anyMarked, anyPrice, (kind, marked, price) => {
      const isTaken = (price: bigint): boolean => {
        const { markPricePips } = marked;
        const isNear = (raw(markPricePips) - price) * 10_000n <= raw(markPricePips) * raw(grant.bandBps[kind]);
        const terms = { markPricePips, limitPricePips: pricePips(price), venueFeeBps: feeAt(price, marked) };
        return isNear && isCostInBand(kind, terms, grant);
      };
      const edge = raw(saleEdgeOf(kind, marked, grant));
      expect(isTaken(edge) || edge === 10_000n).toBe(true);
      expect(edge === 1n || !isTaken(edge - 1n)).toBe(true);
      expect(isTaken(price)).toBe(price >= edge);
    }),
    { numRuns: 2_000 },
  );
});

test('law: the vault takes the edge of an opening, with the fee of the mark', () => {
  fc.assert(
    fc.property(anyMarked, (marked) => {
      const { markPricePips } = marked;
      const limitPricePips = pricePips(openingEdgePipsOf(marked, grant));
      const venueFeeBps = feeAt(raw(markPricePips), marked);
      expect(isCostInBand('open', { markPricePips, limitPricePips, venueFeeBps }, grant)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
