import { pricePips, raw, tokenUnits } from '@core/pricing';
import { exampleOf } from '@core/wire';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FeeRates, Market } from '../generated/resources.ts';
import { bidOf, midOf, proposedMinPriceOf, type Sale, saleOf } from './saleOf.ts';

const tokens = tokenUnits(136_980_000n);
const class500 = { min_value_usd_pips: '0', max_value_usd_pips: '5000000', fill_count: 3 };
const ratesWith = (cost_bps: number, kind: 'opening' | 'close' = 'close'): FeeRates => ({
  ...(exampleOf('getFeeRates').response as FeeRates),
  market: {
    ticker: 'btc-up',
    venue_fee_exponent: 1,
    venue_trading_fee_bps: 300,
    measured_costs: [{ kind, cost_bps, ...class500 }],
  },
});
const saleWith = (feeRates: FeeRates): Sale =>
  saleOf(tokens, { bidPricePips: pricePips(7_100n), midPricePips: pricePips(7_200n), feeRates });

test('saleOf: the bid less the highest fee, and the mid less what closes of this size cost', () => {
  const sale = saleWith(ratesWith(100));
  expect(raw(sale.bidValueUsdcUnits)).toBe(97_255_800n);
  // 136.98 tokens × 0.03 × 0.71 × 0.29, rounded up to the step of the venue.
  expect(raw(sale.venueFeeUsdcUnits)).toBe(846_130n);
  expect(raw(sale.proceedsUsdcUnits)).toBe(97_255_800n - 846_130n);
  expect(sale.valueUsdcUnits).toBe(98_625_600n);
  expect(sale.measuredProceedsUsdcUnits).toBe(98_625_600n - 986_256n);
  // A gain: closes were better than the mid.
  expect(saleWith(ratesWith(-100)).measuredProceedsUsdcUnits).toBe(98_625_600n + 986_256n);
});

test('saleOf: without a mid or a measured close nothing is measured', () => {
  expect(saleWith(ratesWith(100, 'opening')).measuredProceedsUsdcUnits).toBeNull();
  const { valueUsdcUnits, measuredProceedsUsdcUnits } = saleOf(tokens, {
    bidPricePips: pricePips(7_100n),
    feeRates: ratesWith(100),
  });
  expect([valueUsdcUnits, measuredProceedsUsdcUnits]).toEqual([null, null]);
});

test('midOf: between bid and ask of the side, rounded down, and undefined without one of them', () => {
  const recorded = (exampleOf('getMarket').response as Market).prices as NonNullable<Market['prices']>;
  const sides = { yes_bid_price_usd_pips: '4900', yes_ask_price_usd_pips: '5101', no_ask_price_usd_pips: null };
  const market = { prices: { ...recorded, ...sides } };
  expect([bidOf(market, 'yes'), midOf(market, 'yes')]).toEqual([4_900n, 5_000n]);
  expect([midOf(market, 'no'), midOf({}, 'yes')]).toEqual([undefined, undefined]);
});

test('proposed minimum price: 5 % below the bid or up to a tenth of a cent lower, and above 0', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 11n, max: 9_999n }), (bid) => {
      const price = raw(proposedMinPriceOf(pricePips(bid)));
      expect(price % 10n).toBe(0n);
      expect(price * 100n).toBeLessThanOrEqual(bid * 95n);
      expect((price + 10n) * 100n).toBeGreaterThan(bid * 95n);
    }),
  );
  expect(proposedMinPriceOf(pricePips(10n))).toBe(1n);
});
