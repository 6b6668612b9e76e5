import { pricePips, raw } from '@core/pricing';
import { exampleOf } from '@core/wire';
import { expect, test } from 'vitest';
import type { Quote } from '../generated/resources.ts';
import { ticketOf } from './ticketOf.ts';

const recorded = exampleOf('createQuote').response as Quote;
const tokens = 100_000_000n;
const quote: Quote = {
  ...recorded,
  leverage_bps: 50_000,
  notional_usdc_units: '50000000',
  collateral_usdc_units: '10000000',
  entry_price_usd_pips: '5000',
  current_liquidation_price_usd_pips: '4400',
  origination_fee_usdc_units: '500000',
  expected_open_trading_fee_usdc_units: '1700000',
  total_user_amount_usdc_units: '12200000',
  lifetime_fee_apr_bps: 1_000,
  venue_trading_fee_bps: 700,
  basis: {
    position_token_units: String(tokens),
    venue_fee_usdc_units: '1700000',
    slippage_bps: 500,
    exit_buffer_bps: 800,
    opening_route: 'direct',
  },
};

test('ticketOf: costs, distances and payouts follow from the quote, to the unit', () => {
  const ticket = ticketOf(quote, { markPricePips: pricePips(4_900n) });
  expect(raw(ticket.openCostUsdcUnits)).toBe(2_200_000n);
  // 40 USD at 10 % a year, one day, rounded up.
  expect(raw(ticket.holdCostPerDayUsdcUnits)).toBe(10_959n);
  // The same for an hour: 456.6 units.
  expect(raw(ticket.holdCostPerHourUsdcUnits)).toBe(457n);
  // 100 tokens × 0.07 × 0.49 × 0.51.
  expect(raw(ticket.closeCostUsdcUnits)).toBe(1_749_300n);
  expect(raw(ticket.spreadCostUsdcUnits)).toBe(1_000_000n);
  expect(raw(ticket.roundTripCostUsdcUnits)).toBe(4_949_300n);
  // Of 10 USD: 49.493 %, rounded up.
  expect(raw(ticket.roundTripCostBps)).toBe(4_950n);
  // 95 tokens at 46.5 cents less 3.75 %, with all fees of the opening.
  expect(raw(ticket.worstRoundTripCostUsdcUnits)).toBe(2_200_000n + 50_000_000n - (44_175_000n - 1_656_563n));
  expect(raw(ticket.worstRoundTripCostBps)).toBe(9_682n);
  expect(raw(ticket.liquidationDistancePips)).toBe(500n);
  expect(raw(ticket.liquidationDistanceBps)).toBe(1_020n);
  expect(raw(ticket.winPaysUsdcUnits)).toBe(60_000_000n);
  // 12.2 USD of the 51.7 that 100 tokens and their fee cost.
  expect(raw(ticket.winWithoutLeverageUsdcUnits)).toBe(23_597_678n);
});

test('ticketOf: a sale at the break-even price returns the amount paid, a pip below it does not', () => {
  const price = raw(ticketOf(quote).breakEvenPricePips ?? pricePips(0n));
  const bringsAt = (pips: bigint): bigint =>
    (tokens * pips) / 10_000n - (tokens * 7n * pips * (10_000n - pips)) / 10n ** 10n;
  expect(bringsAt(price)).toBeGreaterThanOrEqual(52_200_000n);
  expect(bringsAt(price - 1n)).toBeLessThan(52_200_000n);
  expect(ticketOf({ ...quote, total_user_amount_usdc_units: '99000000' }).breakEvenPricePips).toBeNull();
});

test('ticketOf: the distance is zero for a mark below the liquidation price', () => {
  const { liquidationDistancePips, liquidationDistanceBps } = ticketOf(quote, { markPricePips: pricePips(4_000n) });
  expect([raw(liquidationDistancePips), raw(liquidationDistanceBps)]).toEqual([0n, 0n]);
});
