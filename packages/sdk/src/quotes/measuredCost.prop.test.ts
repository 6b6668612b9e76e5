import { pricePips, raw, usdcUnits } from '@core/pricing';
import { exampleOf } from '@core/wire';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FeeRates, Quote } from '../generated/resources.ts';
import { measuredCostOf } from './measuredCost.ts';
import { type TicketQuote, type TicketTerms, ticketOf } from './ticketOf.ts';

type MeasuredCosts = NonNullable<FeeRates['market']>['measured_costs'];

const sizes = [
  [0n, 500n],
  [500n, 5_000n],
  [5_000n, null],
] as const;
const kinds = ['opening', 'close'] as const;
const usdPips = (usd: bigint): string => String(usd * 10_000n);

/** Every class of size once, each with its own cost. */
const anyCosts = fc.array(fc.integer({ min: -9_000, max: 9_000 }), { minLength: 6, maxLength: 6 }).map((bps) =>
  kinds.flatMap((kind, row) =>
    sizes.map(([min, max], column) => ({
      kind,
      min_value_usd_pips: usdPips(min),
      max_value_usd_pips: max === null ? null : usdPips(max),
      cost_bps: bps[row * sizes.length + column] ?? 0,
      fill_count: 3,
    })),
  ),
);
const anyKind = fc.constantFrom(...kinds);
/** Values around the bounds of the classes, in USDC units. */
const anyUnits = fc.oneof(
  fc.bigInt({ min: 1n, max: 20_000_000_000n }),
  fc.constantFrom(499_999_999n, 500_000_000n, 500_000_001n, 5_000_000_000n, 5_000_000_001n),
);
const ratesWith = (measured_costs: MeasuredCosts): FeeRates => {
  const rates = exampleOf('getFeeRates').response as FeeRates;
  return { ...rates, market: { ticker: 'btc-up', venue_fee_exponent: 1, venue_trading_fee_bps: 700, measured_costs } };
};
const isOfSize = ({ min_value_usd_pips: min, max_value_usd_pips: max }: MeasuredCosts[number], units: bigint) =>
  units > BigInt(min) * 100n && (max === null || units <= BigInt(max) * 100n);

test('measured cost: that of the class of this kind and size, rounded up, also for a gain', () => {
  fc.assert(
    fc.property(anyCosts, anyKind, anyUnits, (costs, kind, units) => {
      const of = costs.find((one) => one.kind === kind && isOfSize(one, units));
      const cost = raw(measuredCostOf(usdcUnits(units), kind, ratesWith(costs)) ?? usdcUnits(-(10n ** 18n)));
      const excess = cost * 10_000n - units * BigInt(of?.cost_bps ?? 0);
      expect(excess).toBeGreaterThanOrEqual(0n);
      expect(excess).toBeLessThan(10_000n);
    }),
  );
});

test('measured cost: without its own class none, whatever the others cost', () => {
  fc.assert(
    fc.property(anyCosts, anyKind, anyUnits, (costs, kind, units) => {
      const others = costs.filter((one) => one.kind !== kind || !isOfSize(one, units));
      expect(measuredCostOf(usdcUnits(units), kind, ratesWith(others))).toBeNull();
    }),
  );
  expect(measuredCostOf(usdcUnits(1n), 'close', undefined)).toBeNull();
});

test('ticketOf: the measured round trip is unknown when one of its fills or the mid is', () => {
  const recorded = exampleOf('createQuote').response as Quote;
  const basis = { position_token_units: '80000000', venue_fee_usdc_units: '1', slippage_bps: 0, exit_buffer_bps: 0 };
  const quote: TicketQuote = { ...recorded, basis };
  fc.assert(
    fc.property(anyCosts, anyKind, (costs, kind) => {
      const prices = { markPricePips: pricePips(4_900n), midPricePips: pricePips(5_000n) };
      const measuredOf = (terms: TicketTerms) => {
        const { measuredRoundTripCostUsdcUnits: units, measuredRoundTripCostBps: bps } = ticketOf(quote, terms);
        return [units, bps].map((one) => one === null);
      };
      const half = ratesWith(costs.filter((one) => one.kind === kind));
      expect(measuredOf({ ...prices, feeRates: ratesWith(costs) })).toEqual([false, false]);
      expect(measuredOf({ ...prices, feeRates: half })).toEqual([true, true]);
      expect(measuredOf({ markPricePips: pricePips(4_900n), feeRates: ratesWith(costs) })).toEqual([true, true]);
    }),
  );
});
