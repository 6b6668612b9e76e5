import { purchaseAt, saleAt } from '@core/pair-filler/prices';
import {
  bestGrantFillOf,
  clipGrantFill,
  type Grant,
  grantFillRefusalOf,
  pricePips,
  rateBps,
  raw,
  tokenUnits,
  usdcUnits,
} from '@core/pricing';
import { Purpose } from '@core/vault';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';

const path = fc
  .record({
    start: fc.integer({ min: 1_000, max: 9_000 }),
    slope: fc.integer({ min: 0, max: 900 }),
    venueFeeBps: fc.integer({ min: 0, max: 1_000 }),
    validFor: fc.integer({ min: 6, max: 20 }),
    mostUnits: fc.bigInt({ min: 20_000_000n, max: 2_000_000_000n }),
    filledShare: fc.bigInt({ min: 0n, max: 50n }),
    secondShare: fc.nat(100),
    expectedPercent: fc.bigInt({ min: 0n, max: 100n }),
  })
  .map((drawn) => {
    const second = Math.floor((drawn.validFor * drawn.secondShare) / 100);
    return { ...drawn, second, filledUnits: (drawn.mostUnits * drawn.filledShare) / 100n };
  });

type Path = typeof path extends fc.Arbitrary<infer Value> ? Value : never;

/** The grant as the vault has it, and as the package prices it. */
function grantsOf(drawn: Path, purpose: typeof Purpose.Open | typeof Purpose.Unwind) {
  const { start, slope, venueFeeBps, validFor, mostUnits, filledUnits } = drawn;
  const isOpening = purpose === Purpose.Open;
  const limitPips = isOpening ? start + slope : start - slope;
  const times = { startsAt: 1_000, endsAt: 1_000 + validFor, validFor };
  const wire = { purpose, markPips: start, startPips: start, limitPips, venueFeeBps, mostUnits, filledUnits, ...times };
  const prices = {
    startPricePips: pricePips(BigInt(start)),
    limitPricePips: pricePips(BigInt(limitPips)),
    venueFeeBps: rateBps(BigInt(venueFeeBps)),
    validForSeconds: validFor,
  };
  const expectation = {
    notionalUsdcUnits: mostUnits,
    minPositionTokenUnits: (mostUnits * 10_000n * drawn.expectedPercent) / (BigInt(start) * 100n),
  };
  const grant: Grant = isOpening
    ? {
        ...prices,
        side: 'purchase',
        maximumUsdcUnits: usdcUnits(mostUnits),
        filledUsdcUnits: usdcUnits(filledUnits),
        minimumFirstUsdcUnits: null,
        notionalUsdcUnits: usdcUnits(expectation.notionalUsdcUnits),
        minimumTokenUnits: tokenUnits(expectation.minPositionTokenUnits),
      }
    : {
        ...prices,
        side: 'sale',
        maximumTokenUnits: tokenUnits(mostUnits),
        filledTokenUnits: tokenUnits(filledUnits),
        heldTokenUnits: tokenUnits(mostUnits),
      };
  return { wire, grant, expectation };
}

const amountsOf = (fill: { readonly tokenUnits: bigint; readonly usdcUnits: bigint }) => ({
  tokenUnits: tokenUnits(fill.tokenUnits),
  usdcUnits: usdcUnits(fill.usdcUnits),
});

test('example: its purchase of all that is left is accepted now and later, and the best one to the unit of rounding', () => {
  fc.assert(
    fc.property(path, (drawn) => {
      const { wire, grant, expectation } = grantsOf(drawn, Purpose.Open);
      const fill = amountsOf(purchaseAt(wire, drawn.second, expectation));
      for (let second = drawn.second; second <= drawn.validFor; second += 1) {
        // A little more of both, as the example sends it: a later fee part makes the same USDC a smaller trade.
        const more = amountsOf({
          tokenUnits: (raw(fill.tokenUnits) * 103n) / 100n,
          usdcUnits: (raw(fill.usdcUnits) * 103n) / 100n,
        });
        expect(grantFillRefusalOf(grant, second, clipGrantFill(grant, second, more))).toBeNull();
      }
      const best = bestGrantFillOf(grant, drawn.second, fill);
      expect(raw(best.usdcUnits)).toBeGreaterThanOrEqual(raw(fill.usdcUnits) - 1n);
    }),
  );
});

test('example: its sale of all that is left costs what the vault demands, to the unit', () => {
  fc.assert(
    fc.property(path, (drawn) => {
      const { wire, grant } = grantsOf(drawn, Purpose.Unwind);
      const fill = amountsOf(saleAt(wire, drawn.second));
      expect(fill).toEqual(bestGrantFillOf(grant, drawn.second, { ...fill, usdcUnits: usdcUnits(10n ** 18n) }));
      expect(grantFillRefusalOf(grant, drawn.second, fill)).toBeNull();
    }),
  );
});
