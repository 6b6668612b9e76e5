import { buyOrderOf, pricePips, raw, sellOrderOf, tokenUnits, usdcUnits } from '@core/pricing';
import { OrderSide } from '@core/vault';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OrderKind } from '../matching/bookOrder.ts';
import type { SignedOrder } from '../settlement/settlement.ts';
import { orderTermsOf } from './orderTerms.ts';

const ticks = [1n, 10n, 25n, 50n, 100n, 1_000n];

const termsOf = (
  side: 'BUY' | 'SELL',
  [makerAmount, takerAmount]: readonly [bigint, bigint],
  rules: { readonly kind: OrderKind; readonly tickPricePips: bigint },
) => {
  const code = side === 'BUY' ? OrderSide.Buy : OrderSide.Sell;
  return orderTermsOf({ side: code, makerAmount, takerAmount } as SignedOrder, rules);
};

/** Every price of every tick, and an amount of at least the smallest order. */
const orders = fc.constantFrom(...ticks).chain((tick) =>
  fc.record({
    tick: fc.constant(tick),
    price: fc.bigInt({ min: 1n, max: 10_000n / tick - 1n }).map((count) => count * tick),
    tokens: fc.bigInt({ min: 6_000_000n, max: 500_000_000_000n }),
    kind: fc.constantFrom<OrderKind>('FOK', 'FAK'),
  }),
);

test('amounts: sizes at every price of every tick → the venue accepts our orders at exactly that price', () => {
  fc.assert(
    fc.property(orders, ({ tick, price, tokens, kind }) => {
      const at = { pricePips: pricePips(price), tickPricePips: pricePips(tick) };
      const rules = { kind, tickPricePips: tick };
      // A dollar more, so that no purchase falls under the smallest order.
      const buy = buyOrderOf(usdcUnits((tokens * price) / 10_000n + 1_010_000n), at);
      expect(termsOf('BUY', [raw(buy.usdcUnits), raw(buy.tokenUnits)], rules)).toMatchObject({ pricePips: price });
      const sale = sellOrderOf(tokenUnits(tokens), at);
      expect(termsOf('SELL', [raw(sale.tokenUnits), raw(sale.usdcUnits)], rules)).toMatchObject({ pricePips: price });
    }),
    { numRuns: 20_000 },
  );
});

test.each([
  ['a purchase with four decimals of money', 'BUY', [18_998_100n, 33_330_000n], 'FAK', 100n],
  ['a purchase of whole shares with four decimals of money', 'BUY', [5_098_500n, 5_150_000n], 'FOK', 100n],
  ['a purchase with five decimals of shares', 'BUY', [19_000_000n, 33_333_330n], 'FAK', 100n],
  ['a sale with five decimals of money', 'SELL', [8_690_000n, 5_518_150n], 'FOK', 10n],
  ['a sale with three decimals of shares', 'SELL', [8_691_000n, 5_518_100n], 'FOK', 100n],
  ['a resting purchase with four decimals of shares', 'BUY', [19_000_000n, 33_333_300n], 'GTC', 100n],
] as const)('amounts: %s → refused', (...[, side, amounts, kind, tickPricePips]) => {
  expect(termsOf(side, amounts, { kind, tickPricePips })).toMatch(/^invalid amounts/);
});

test.each([
  ['shares rounded down', [19_000_000n, 33_333_300n], 5_700n],
  ['shares rounded up', [19_000_000n, 33_333_400n], 5_600n],
] as const)('amounts: a purchase at 0.57 with %s → a price of %s', (_name, amounts, pips) => {
  expect(termsOf('BUY', amounts, { kind: 'FAK', tickPricePips: 100n })).toMatchObject({ pricePips: pips });
});

test.each([
  ['money rounded down', [8_690_000n, 5_518_100n], 6_350n],
  ['money rounded up', [8_690_000n, 5_518_200n], 6_360n],
] as const)('amounts: a sale at 0.635 with %s → a price of %s', (_name, amounts, pips) => {
  expect(termsOf('SELL', amounts, { kind: 'FAK', tickPricePips: 10n })).toMatchObject({ pricePips: pips });
});

test('amounts: a price between two ticks → refused', () => {
  const rules = { kind: 'FAK', tickPricePips: 100n } as const;
  expect(termsOf('BUY', [5_750_000n, 10_000_000n], rules)).toMatch(/tick size/);
  expect(termsOf('BUY', [5_750_000n, 10_000_000n], { kind: 'GTC', tickPricePips: 100n })).toMatch(/tick size/);
});
