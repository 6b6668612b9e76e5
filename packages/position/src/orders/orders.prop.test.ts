import { amountStepsOf, constants, isZero, pricePips, raw, tokenUnits, usdcUnits } from '@core/pricing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { sellableRequestOf } from './closeRequest.ts';
import { openingOrderOf, unfilledReasonOf } from './openingOrder.ts';
import { closableTokensOf, closingOrderOf, isCloseCovered } from './saleOrder.ts';

const tick = fc.constantFrom(1n, 10n, 25n, 50n, 100n);
const price = fc.bigInt(1n, 9_999n);
const money = fc.bigInt(1_000_000n, 50_000_000_000n);
const step = raw(constants.shareStepTokenUnits);
const minimum = raw(constants.minOrderTokenUnits);

test('an opening order keeps every bound of the vault', () => {
  const bounds = fc.record({
    notional: money,
    limit: price,
    tick,
    minTokens: fc.bigInt(0n, 100_000_000_000n),
    venueFee: fc.bigInt(0n, 5_000_000_000n),
    feeBps: fc.bigInt(0n, 1_000n),
    dueBps: fc.bigInt(2_000n, 10_000n),
  });
  fc.assert(
    fc.property(bounds, ({ notional, limit, tick: tickPips, minTokens, venueFee, feeBps, dueBps }) => {
      const due = (notional * dueBps) / 10_000n;
      const order = openingOrderOf({
        dueUsdcUnits: usdcUnits(due),
        openUsdcUnits: usdcUnits(notional),
        notionalUsdcUnits: usdcUnits(notional),
        minPositionTokenUnits: tokenUnits(minTokens),
        venueFeeLeftUsdcUnits: usdcUnits(venueFee),
        limitPricePips: pricePips(limit),
        venueFeeBps: feeBps,
        tickPricePips: pricePips(tickPips),
      });
      fc.pre(order.kind === 'order');
      const [maker, taker] = [raw(order.usdcUnits), raw(order.tokenUnits)];
      expect(raw(order.pricePips) % tickPips).toBe(0n);
      const steps = amountStepsOf('immediateBuy', pricePips(tickPips));
      expect([maker % steps.usdcUnits, taker % steps.tokenUnits]).toEqual([0n, 0n]);
      // It meets an ask at its own tick.
      expect(maker * 10_000n).toBeGreaterThanOrEqual(taker * raw(order.pricePips));
      expect(taker).toBeGreaterThanOrEqual(minimum);
      // The vault's own checks: price, minimum tokens pro rata, fee cover, size.
      expect(maker * 10_000n).toBeLessThanOrEqual(taker * limit);
      expect(taker * notional).toBeGreaterThanOrEqual(maker * minTokens);
      expect(venueFee * 10_000n).toBeGreaterThanOrEqual(maker * feeBps);
      expect(maker).toBeLessThanOrEqual(notional);
      expect(maker * 10_000n).toBeGreaterThanOrEqual(due * 9_900n);
    }),
    { numRuns: 2_000 },
  );
});

test('a floor that the grid could round away is reached from above', () => {
  const order = openingOrderOf({
    dueUsdcUnits: usdcUnits(20_000_000n),
    openUsdcUnits: usdcUnits(100_000_000n),
    notionalUsdcUnits: usdcUnits(100_000_000n),
    minPositionTokenUnits: tokenUnits(0n),
    venueFeeLeftUsdcUnits: usdcUnits(0n),
    limitPricePips: pricePips(3_300n),
    venueFeeBps: 0n,
    tickPricePips: pricePips(100n),
  });
  expect(order.kind === 'order' && raw(order.usdcUnits) >= 20_000_000n).toBe(true);
});

const bounds = {
  dueUsdcUnits: usdcUnits(100_000_000n),
  openUsdcUnits: usdcUnits(100_000_000n),
  notionalUsdcUnits: usdcUnits(100_000_000n),
  minPositionTokenUnits: tokenUnits(190_000_000n),
  venueFeeLeftUsdcUnits: usdcUnits(3_000_000n),
  limitPricePips: pricePips(5_100n),
  venueFeeBps: 100n,
  tickPricePips: pricePips(100n),
};

test.each([
  ['nothing when all bounds hold', {}, 'order'],
  [
    'tokens that only a price below the first tick brings',
    { minPositionTokenUnits: tokenUnits(10n ** 12n) },
    'minimum_tokens_unreachable',
  ],
  ['a limit below the first tick', { limitPricePips: pricePips(99n) }, 'price_moved'],
  ['a fee budget below the fee', { venueFeeLeftUsdcUnits: usdcUnits(900_000n) }, 'venue_fee_too_small'],
  ['a fee budget of nothing', { venueFeeLeftUsdcUnits: usdcUnits(0n) }, 'venue_fee_too_small'],
  [
    'less than the smallest order',
    { dueUsdcUnits: usdcUnits(1_000_000n), openUsdcUnits: usdcUnits(1_000_000n) },
    'too_small',
  ],
] as const)('what keeps an opening from its order: %s', (_name, change, kind) => {
  expect(openingOrderOf({ ...bounds, ...change }).kind).toBe(kind);
});

// 190 tokens for 100 USDC: 0.5263 each at the most, so 0.52 on the grid.
test.each([
  ['the price signers', 5_100n, 5_000n, 'order_not_filled'],
  ['minimum tokens that the quote had', 5_200n, 5_000n, 'price_moved'],
  ['minimum tokens that the quote did not have', 5_200n, 5_300n, 'minimum_tokens_unreachable'],
] as const)('an order without a counterparty was bound by %s', (...[, order, entry, reason]) => {
  const cause = unfilledReasonOf({ ...bounds, orderPricePips: pricePips(order), entryPricePips: pricePips(entry) });
  expect(cause).toBe(reason);
});

const level = fc.record({ price, size: fc.bigInt(1n, 500n) });

test('closable tokens are at most the request, the position and the bids, and leave a sellable rest', () => {
  fc.assert(
    fc.property(
      fc.bigInt(5_000_000n, 900_000_000n),
      fc.bigInt(5_000_000n, 900_000_000n),
      fc.array(level, { maxLength: 6 }),
      (asked, held, levels) => {
        const bids = levels
          .toSorted((left, right) => Number(right.price - left.price))
          .map((entry) => ({ pricePips: pricePips(entry.price), sizeTokenUnits: tokenUnits(entry.size * 1_000_000n) }));
        const size = raw(
          closableTokensOf(tokenUnits(asked), tokenUnits(held), { bids, minPricePips: pricePips(2_000n) }),
        );
        const whole = asked < held ? asked : held;
        const bid = bids
          .filter((entry) => raw(entry.pricePips) >= 2_000n)
          .reduce((sum, entry) => sum + raw(entry.sizeTokenUnits), 0n);
        expect(size).toBeLessThanOrEqual(whole);
        expect(size).toBeLessThanOrEqual(bid);
        expect(size % step).toBe(0n);
        expect(size === 0n || size >= minimum).toBe(true);
        const remainder = whole - size;
        expect(size === 0n || remainder < step || remainder >= minimum).toBe(true);
      },
    ),
    { numRuns: 1_000 },
  );
});

test('a closing order is on the tick and no worse than the limit and the user allow', () => {
  fc.assert(
    fc.property(fc.record({ limit: price, minimum: price, tick }), ({ limit, minimum, tick: tickPips }) => {
      const order = closingOrderOf({
        tokenUnits: tokenUnits(7_000_000n),
        heldTokenUnits: tokenUnits(9_000_000n),
        minPricePips: pricePips(minimum),
        limitPricePips: pricePips(limit),
        tickPricePips: pricePips(tickPips),
      });
      expect(raw(order.pricePips) % tickPips).toBe(0n);
      expect(raw(order.usdcUnits) * 10_000n).toBeGreaterThanOrEqual(raw(order.tokenUnits) * limit);
      expect(raw(order.usdcUnits) * 10_000n).toBeGreaterThanOrEqual(raw(order.tokenUnits) * minimum);
      const steps = amountStepsOf('immediateSell', pricePips(tickPips));
      expect([raw(order.usdcUnits) % steps.usdcUnits, raw(order.tokenUnits) % steps.tokenUnits]).toEqual([0n, 0n]);
      // It meets a bid at its own tick.
      expect(raw(order.usdcUnits) * 10_000n).toBeLessThanOrEqual(raw(order.tokenUnits) * raw(order.pricePips));
    }),
  );
});

test('a close is covered exactly when the vault says so, a part by all that is held, an end by what it sells', () => {
  const isCovered = (debt: bigint, soldTokenUnits: bigint) =>
    isCloseCovered({
      limitPricePips: pricePips(5_000n),
      venueFeeBps: 100n,
      heldTokenUnits: tokenUnits(10_000_000n),
      soldTokenUnits: tokenUnits(soldTokenUnits),
      debtUsdcUnits: usdcUnits(debt),
    });
  expect([isCovered(4_950_000n, 10_000_000n), isCovered(4_950_001n, 10_000_000n)]).toEqual([true, false]);
  expect([isCovered(4_950_000n, 5_000_000n), isCovered(4_950_001n, 5_000_000n)]).toEqual([true, false]);
  // 9,999 units stay as dust: 9.990001 tokens at 49.5 cents are what can be had for them.
  expect([isCovered(4_945_050n, 9_990_001n), isCovered(4_945_051n, 9_990_001n)]).toEqual([true, false]);
});

test('a request ends on an unsellable remainder of the position; dust does not count', () => {
  const of = (asked: bigint, held: bigint) => sellableRequestOf(tokenUnits(asked), tokenUnits(held));
  // An unwind left 52 of the 100 tokens of which 50 were asked for: two could never be sold.
  expect(of(50_000_000n, 52_000_000n)).toBeNull();
  expect(of(50_000_000n, 54_999_999n)).toBeNull();
  expect(of(50_000_000n, 55_000_000n)).toBe(50_000_000n);
  expect(of(50_000_000n, 50_009_999n)).toBe(50_000_000n);
  expect(of(50_000_000n, 50_010_000n)).toBeNull();
  // Rounded down to 49.99, it leaves a whole hundredth.
  expect(of(49_999_999n, 50_000_000n)).toBeNull();
});

test('a remainder of a request ends it, everything held does not count as one', () => {
  const of = (asked: bigint, held: bigint) => sellableRequestOf(tokenUnits(asked), tokenUnits(held));
  expect(of(0n, 10_000_000n)).toBeNull();
  expect(of(9_999n, 10_000_000n)).toBeNull();
  expect(of(4_999_999n, 10_000_000n)).toBeNull();
  expect(of(5_000_000n, 10_000_000n)).toBe(5_000_000n);
  expect(of(4_000_000n, 4_000_000n)).toBe(4_000_000n);
  expect(isZero(of(90_000_000n, 4_000_000n) ?? tokenUnits(0n))).toBe(false);
});

test('what is sold of a request is at least 5 tokens, on the grid, and leaves dust or at least 5 tokens', () => {
  const anyTokens = fc.bigInt(0n, 900_000_000n);
  const bids = [{ pricePips: pricePips(5_000n), sizeTokenUnits: tokenUnits(10n ** 12n) }];
  fc.assert(
    fc.property(anyTokens, anyTokens, (asked, held) => {
      const sellable = sellableRequestOf(tokenUnits(asked), tokenUnits(held));
      fc.pre(sellable !== null);
      const sold = raw(closableTokensOf(sellable, tokenUnits(held), { bids, minPricePips: pricePips(1n) }));
      // Everything that is held may be too little for an order.
      expect(sold === 0n ? held - (held % step) < minimum : sold >= minimum).toBe(true);
      expect(sold % step).toBe(0n);
      const remainder = held - sold;
      expect(sold === 0n || remainder < step || remainder >= minimum).toBe(true);
      expect(sold === 0n || sold > raw(sellable) - step).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});
