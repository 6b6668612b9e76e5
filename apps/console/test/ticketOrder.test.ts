import { pricePips, rateBps, usdcUnits } from '@core/pricing';
import type { Market } from '@core/sdk';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { orderWarnings } from '../web/src/quotes/orderWarnings.ts';
import { leverageLimitOf } from '../web/src/ticket/leverageLimit.ts';
import { largestSizeOf, notionalOf, switchedAmount, type TicketOrder } from '../web/src/ticket/ticketOrder.ts';

const order: TicketOrder = { side: 'yes', amount: '100', amountKind: 'size', leverageBps: 25_000, slippageBps: 500 };

describe('amounts of a ticket', () => {
  test('collateral: 1,5 at 2.5x → a size of 3.75', () => {
    expect(notionalOf({ ...order, amount: '1,5', amountKind: 'collateral' })).toBe(37_500n);
    expect(notionalOf({ ...order, amount: '1,5,0' })).toBeNull();
  });

  test('switch: size to collateral and back → never more, and at most a cent times the leverage less', () => {
    const anyOrder = fc.record({
      cents: fc.integer({ min: 100, max: 10_000_000 }),
      steps: fc.integer({ min: 8, max: 40 }),
    });
    fc.assert(
      fc.property(anyOrder, ({ cents, steps }) => {
        const sized = { ...order, amount: (cents / 100).toFixed(2), leverageBps: steps * 2_500 };
        const before = notionalOf(sized) ?? 0n;
        const collateral = switchedAmount(sized);
        const after = notionalOf(switchedAmount(collateral)) ?? 0n;
        expect(collateral.amountKind).toBe('collateral');
        expect(after).toBeLessThanOrEqual(before);
        expect(before - after).toBeLessThanOrEqual(100n * BigInt(steps) + 100n);
      }),
    );
  });

  test('largest size: market limit and wallet balance → the lower of both', () => {
    const market = { max_notional_yes_usd_pips: '5000000' } as Market;
    const sizeWith = (balanceUnits: bigint | null) => largestSizeOf(market, { ...order, balanceUnits });
    expect(sizeWith(null)).toBe(5_000_000n);
    expect(sizeWith(100_000_000n)).toBe(2_250_000n);
    expect(sizeWith(100_000_000_000n)).toBe(5_000_000n);
  });
});

describe('leverage limit', () => {
  const market = {
    leverage: { min_bps: 20_000, max_yes_bps: 90_000 },
    sided_eligibility: { yes: { accepting_new_positions: true } },
  } as Market;
  const limitWith = (maxBps: number | null, error: unknown = null) =>
    leverageLimitOf(market, { side: 'yes', granted: { draft: undefined, maxBps, error } });

  test('the service grants less than the maximum leverage → the slider ends there, with the reason', () => {
    expect(limitWith(62_500)).toEqual({
      maxBps: 62_500,
      reason: 'Up to 6.25x for this size at this price. More would start too close to liquidation.',
    });
    expect(limitWith(90_000)).toEqual({ maxBps: 90_000, reason: 'Up to 9x for this size at this price.' });
  });

  test('no response yet → the leverage offered, without a reason; a failure → its sentence', () => {
    expect(limitWith(null)).toEqual({ maxBps: 90_000, reason: null });
    expect(limitWith(null, new Error('Too small.')).reason).toBe('Too small.');
  });
});

describe('order warnings', () => {
  const ticket = (roundTrip: bigint, distance: bigint, borrow = 1n) => ({
    roundTripCostBps: rateBps(roundTrip),
    liquidationDistanceBps: rateBps(distance),
    borrowUsdcUnits: usdcUnits(borrow),
    liquidationDistancePips: pricePips(0n),
  });

  test('at the thresholds → none; beyond them → each with its number; without debt no liquidation', () => {
    expect(orderWarnings(ticket(2_500n, 500n))).toEqual([]);
    expect(orderWarnings(ticket(2_501n, 499n))).toEqual([
      'Opening and selling at once would cost 25.0 % of your collateral.',
      'A price drop of 5.0 % liquidates this position.',
    ]);
    expect(orderWarnings(ticket(0n, 0n, 0n))).toEqual([]);
  });
});
