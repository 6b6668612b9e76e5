import { pricePips, rateBps, raw, tokenUnits, usdcUnits } from '@core/pricing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { policyDefaults } from '../defaults.ts';
import { isWithinDebt, repayingSizeOf } from './repayingSale.ts';

const fees = { venueFee: { ratePpm: 70_000n, exponent: 1n }, maxVenueFeeBps: rateBps(700n) };

test('a deep book: the size is no more than the vault takes for the debt, also with the gas of a filler', () => {
  const counts = { grant: 0, order: 0 };
  const property = fc.property(
    fc.record({
      bid: fc.bigInt({ min: 500n, max: 9_500n }),
      tick: fc.constantFrom(10n, 100n),
      held: fc.bigInt({ min: 40_000_000n, max: 20_000_000_000n }),
      debtBps: fc.bigInt({ min: 500n, max: 7_500n }),
      isGrant: fc.boolean(),
    }),
    ({ bid, tick, held, debtBps, isGrant }) => {
      const debt = usdcUnits((held * bid * debtBps) / 100_000_000n);
      const size = repayingSizeOf(debt, {
        fillerCost: isGrant ? policyDefaults.grant.fillerCost : null,
        bids: [{ pricePips: pricePips(bid), sizeTokenUnits: tokenUnits(10n ** 12n) }],
        heldTokenUnits: tokenUnits(held),
        lowestPricePips: pricePips((bid + tick) / 2n),
        tickPricePips: pricePips(tick),
        fees,
      });
      const sale = { tokenUnits: size?.tokenUnits ?? tokenUnits(0n), limitPricePips: size?.limitPricePips ?? null };
      // A price of few ticks does not repay a large debt, whatever is sold.
      if (sale.limitPricePips === null || held - raw(sale.tokenUnits) < 5_000_000n) return;
      counts[isGrant ? 'grant' : 'order'] += 1;
      const at = { tokenUnits: sale.tokenUnits, limitPricePips: sale.limitPricePips };
      expect(isWithinDebt(at, debt, fees)).toBe(true);
    },
  );
  fc.assert(property, { numRuns: 2_000 });
  expect(Math.min(counts.grant, counts.order)).toBeGreaterThan(200);
});
