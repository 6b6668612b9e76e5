import { pricePips, rateBps, usdcUnits } from '@core/pricing';
import { InvalidRequestError, type Market } from '@core/sdk';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { orderWarnings } from '../web/src/quotes/orderWarnings.ts';
import { largestSizeOf, largestSizeText } from '../web/src/ticket/largestSize.ts';
import { leverageLimitOf } from '../web/src/ticket/leverageLimit.ts';
import { suggestedOrderOf } from '../web/src/ticket/suggestedOrder.ts';
import { notionalOf, switchedAmount, type TicketOrder } from '../web/src/ticket/ticketOrder.ts';

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
});

const usd = (dollars: number) => BigInt(dollars) * 10_000n;
const listed = { at100_usd_bps: 45_000, at500_usd_bps: 30_000, at1000_usd_bps: 25_000, at10000_usd_bps: 0 };

/** Market that grants $2,928.6904 at 2x on YES. */
const marketWith = (fields: object = {}) =>
  ({
    max_notional_yes_usd_pips: '29286904',
    capacity_max_notional_yes_usd_pips: '330000000',
    leverage: { min_bps: 20_000, max_market_leverage_per_notional: { yes: listed } },
    ...fields,
  }) as Market;

describe('largest size', () => {
  const at = (leverageBps: number) => ({ side: 'yes', leverageBps }) as const;

  test('follows the leverage: exact at the minimum, the largest listed size above it, unknown above all of them', () => {
    const sizes = [20_000, 22_500, 27_500, 45_000, 47_500].map((bps) => largestSizeOf(marketWith(), at(bps), null));
    expect(sizes).toEqual([29_286_904n, usd(1_000), usd(500), usd(100), null]);
  });

  test('more leverage → never a larger size, and none above the granted maximum or the capacity', () => {
    const maxima = fc.tuple(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 0, max: 20_000 }));
    fc.assert(
      fc.property(maxima, fc.integer({ min: 9, max: 40 }), ([granted, capacity], quarters) => {
        const market = marketWith({
          max_notional_yes_usd_pips: String(usd(granted)),
          capacity_max_notional_yes_usd_pips: String(usd(capacity)),
        });
        const size = largestSizeOf(market, at(quarters * 2_500), null) ?? 0n;
        const smaller = largestSizeOf(market, at((quarters - 1) * 2_500), null) ?? 0n;
        expect(size).toBeLessThanOrEqual(smaller);
        expect(size).toBeLessThanOrEqual(usd(Math.min(granted, capacity)));
      }),
    );
  });

  test('balance and remaining limit of the wallet → the lowest; unknown capacity → none', () => {
    const sizeWith = (usdcUnits: bigint, remainingPips: bigint) =>
      largestSizeOf(marketWith(), at(20_000), { usdcUnits, remainingPips });
    expect(sizeWith(100_000_000n, usd(25_000))).toBe(usd(180));
    expect(sizeWith(100_000_000_000n, usd(25_000))).toBe(29_286_904n);
    expect(sizeWith(100_000_000_000n, usd(40))).toBe(usd(40));
    expect(sizeWith(100_000_000_000n, -1n)).toBe(0n);
    expect(largestSizeOf(marketWith({ max_notional_yes_usd_pips: null }), at(20_000), null)).toBeNull();
  });

  test('its sentence names the leverage and what the minimum leverage allows', () => {
    const textAt = (leverageBps: number) =>
      largestSizeText(marketWith(), at(leverageBps), largestSizeOf(marketWith(), at(leverageBps), null));
    expect([20_000, 27_500, 47_500].map(textAt)).toEqual([
      'Maximum size now $2,928.69.',
      'At 2.75x $500.00 is granted, at 2x up to $2,928.69.',
      'At 4.75x less than $100 is granted, at 2x up to $2,928.69.',
    ]);
    expect(largestSizeText(marketWith(), at(27_500), usd(40))).toBe('Maximum size now $40.00.');
  });
});

describe('suggested order', () => {
  const refusal = (suggested: object | null) => {
    const fields = { code: 'QUOTE_REVISION_REQUIRED', message: '', status: 422, params: {}, suggested };
    return new InvalidRequestError(fields as never);
  };
  const large: TicketOrder = { ...order, amount: '5000' };

  test('a refusal with a suggestion → its size and leverage, as a size', () => {
    const error = refusal({ notional_amount_usd_pips: '29286904', leverage_bps: 20_000 });
    expect(suggestedOrderOf(marketWith(), { ...large, amountKind: 'collateral' }, error)).toEqual({
      text: 'Use $2,928.69 at 2x',
      order: { ...large, amountKind: 'size', amount: '2928.69', leverageBps: 20_000 },
    });
    const sameLeverage = refusal({ notional_amount_usd_pips: '29286904', leverage_bps: 25_000 });
    expect(suggestedOrderOf(marketWith(), large, sameLeverage)?.text).toBe('Use $2,928.69');
    const sameSize = refusal({ notional_amount_usd_pips: '50000000', leverage_bps: 22_500 });
    expect(suggestedOrderOf(marketWith(), large, sameSize)?.text).toBe('Use 2.25x');
    const sameOrder = refusal({ notional_amount_usd_pips: '50000000', leverage_bps: 25_000, slippage_bps: 700 });
    expect(suggestedOrderOf(marketWith(), large, sameOrder)).toBeNull();
  });

  test('a maximum falls to whole cents, a minimum rises to them', () => {
    const error = refusal({ notional_amount_usd_pips: '50001', leverage_bps: 25_000 });
    expect(suggestedOrderOf(marketWith(), { ...order, amount: '1' }, error)?.order.amount).toBe('5.01');
    expect(suggestedOrderOf(marketWith(), order, error)?.order.amount).toBe('5.00');
  });

  test('above the granted maximum without a suggestion → the maximum at the minimum leverage; within it → none', () => {
    expect(suggestedOrderOf(marketWith(), large, null)?.text).toBe('Use $2,928.69 at 2x');
    expect(suggestedOrderOf(marketWith(), large, refusal(null))?.text).toBe('Use $2,928.69 at 2x');
    expect(suggestedOrderOf(marketWith(), order, refusal(null))).toBeNull();
    expect(suggestedOrderOf(marketWith({ max_notional_yes_usd_pips: '0' }), large, null)).toBeNull();
    expect(suggestedOrderOf(marketWith(), { ...large, amount: '' }, null)).toBeNull();
  });
});

describe('leverage limit', () => {
  const market = {
    leverage: { min_bps: 20_000, max_yes_bps: 90_000 },
    sided_eligibility: { yes: { accepting_new_positions: true } },
  } as Market;
  const limitWith = (maxBps: number | null, error: unknown = null, isReduced = false) =>
    leverageLimitOf(market, { side: 'yes', granted: { draft: undefined, maxBps, isReduced, error } });

  test('the service grants less than the maximum leverage → the slider ends there, with the reason', () => {
    expect(limitWith(62_500)).toEqual({
      maxBps: 62_500,
      reason: 'Up to 6.25x for this size at this price. More would start too close to liquidation.',
    });
    expect(limitWith(90_000)).toEqual({ maxBps: 90_000, reason: 'Up to 9x for this size at this price.' });
  });

  test('the draft is of a smaller size → the minimum leverage, and no maximum for this size', () => {
    expect(limitWith(45_000, null, true)).toEqual({
      maxBps: 20_000,
      reason: 'No leverage is granted for this size now.',
    });
  });

  test('no response yet → the leverage offered, without a reason; a failure → its sentence', () => {
    expect(limitWith(null)).toEqual({ maxBps: 90_000, reason: null });
    expect(limitWith(null, new Error('Too small.')).reason).toBe('Too small.');
  });
});

describe('order warnings', () => {
  const ticket = (roundTrip: bigint, distance: bigint, borrow = 1n) => ({
    roundTripCostBps: rateBps(roundTrip),
    measuredRoundTripCostBps: null,
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

  test('a measured round trip decides in place of the one at the quoted prices, dearer or cheaper', () => {
    const measured = (bps: bigint, worst: bigint) =>
      orderWarnings({ ...ticket(worst, 500n), measuredRoundTripCostBps: rateBps(bps) });
    expect(measured(2_501n, 0n)).toEqual(['Opening and selling at once would cost about 25.0 % of your collateral.']);
    expect([measured(2_500n, 9_000n), measured(0n, 9_000n), measured(-150n, 9_000n)]).toEqual([[], [], []]);
  });
});
