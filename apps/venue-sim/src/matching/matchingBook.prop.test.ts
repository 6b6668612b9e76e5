// oxlint-disable vitest/no-conditional-expect -- a law may have a premise.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cashOf } from '../units/decimals.ts';
import { type IncomingOrder, toBookPrice } from './bookOrder.ts';
import { MatchingBook } from './matchingBook.ts';

const size = fc.integer({ min: 1, max: 2_000 }).map((hundredths) => BigInt(hundredths) * 10_000n);
const price = fc.integer({ min: 1, max: 99 }).map((cents) => BigInt(cents) * 100n);
const outcome = fc.constantFrom(0 as const, 1 as const);
const side = fc.constantFrom('BUY' as const, 'SELL' as const);

const resting = fc.record({ outcome, side, price, size });
type Resting = typeof resting extends fc.Arbitrary<infer Value> ? Value : never;

const restingOrder = (one: Resting, index: number): IncomingOrder => ({
  id: `o${index}`,
  maker: `m${index}`,
  outcome: one.outcome,
  side: one.side,
  limitPricePips: one.price,
  kind: 'GTC',
  bound: { tokenUnits: one.size },
});

const bookOf = (orders: readonly Resting[]): MatchingBook => {
  const book = new MatchingBook();
  for (const [index, one] of orders.entries()) book.place(restingOrder(one, index));
  return book;
};

const total = (book: MatchingBook): bigint =>
  (['bid', 'ask'] as const)
    .flatMap((bookSide) => book.levels(bookSide))
    .reduce((sum, level) => sum + level.sizeTokenUnits, 0n);

const incoming = fc.record({
  outcome,
  side,
  price,
  size,
  kind: fc.constantFrom('GTC' as const, 'FOK' as const, 'FAK' as const),
});
type Incoming = typeof incoming extends fc.Arbitrary<infer Value> ? Value : never;

const orderOf = (one: Incoming): IncomingOrder => ({
  id: 'taker',
  maker: 'taker',
  outcome: one.outcome,
  side: one.side,
  limitPricePips: one.price,
  kind: one.kind,
  bound: { tokenUnits: one.size },
});

const books = fc.array(resting, { maxLength: 30 });

describe('the matching book', () => {
  it('never rests crossed', () => {
    fc.assert(
      fc.property(books, (orders) => {
        const book = bookOf(orders);
        const bid = book.bestPricePips('bid');
        const ask = book.bestPricePips('ask');
        expect(bid === null || ask === null || bid < ask).toBe(true);
      }),
    );
  });

  it('fills the best price first, the oldest first within a price, and never beyond the limit', () => {
    fc.assert(
      fc.property(books, incoming, (orders, one) => {
        const book = bookOf(orders);
        const before = new Map(orders.map((_, index) => [`o${index}`, book.order(`o${index}`)?.remainingTokenUnits]));
        const { fills } = book.place(orderOf(one));
        const isBuyer = one.side === 'BUY';
        for (const [index, fill] of fills.entries()) {
          expect(isBuyer ? fill.takerPricePips <= one.price : fill.takerPricePips >= one.price).toBe(true);
          expect(fill.takerPricePips).toBe(toBookPrice(one.outcome, fill.bookPricePips));
          const next = fills[index + 1];
          if (next === undefined) continue;
          expect(
            isBuyer ? fill.takerPricePips <= next.takerPricePips : fill.takerPricePips >= next.takerPricePips,
          ).toBe(true);
          // Every order matched before the last one is filled completely.
          expect(fill.tokenUnits).toBe(before.get(fill.resting.id));
          if (fill.bookPricePips === next.bookPricePips) {
            expect(Number(fill.resting.id.slice(1))).toBeLessThan(Number(next.resting.id.slice(1)));
          }
        }
      }),
    );
  });

  it('conserves size: the book loses the filled size, and the remainder of the taker rests', () => {
    fc.assert(
      fc.property(books, incoming, (orders, one) => {
        const book = bookOf(orders);
        const before = total(book);
        const { fills, status, restingTokenUnits } = book.place(orderOf(one));
        const filledTokenUnits = fills.reduce((sum, fill) => sum + fill.tokenUnits, 0n);
        expect(total(book)).toBe(before - filledTokenUnits + restingTokenUnits);
        expect(filledTokenUnits + restingTokenUnits).toBeLessThanOrEqual(one.size);
        if (status === 'matched') expect(filledTokenUnits).toBe(one.size);
        if (one.kind === 'GTC') expect(filledTokenUnits + restingTokenUnits).toBe(one.size);
        else expect(restingTokenUnits).toBe(0n);
      }),
    );
  });

  it('fills FOK completely or leaves the book unchanged', () => {
    fc.assert(
      fc.property(books, incoming, (orders, one) => {
        const book = bookOf(orders);
        book.drainChanged();
        const before = JSON.stringify([book.levels('bid'), book.levels('ask')], (_, value: unknown) => String(value));
        const { fills, status } = book.place(orderOf({ ...one, kind: 'FOK' }));
        const filledTokenUnits = fills.reduce((sum, fill) => sum + fill.tokenUnits, 0n);
        if (status === 'matched') expect(filledTokenUnits).toBe(one.size);
        else {
          expect(fills).toEqual([]);
          expect(JSON.stringify([book.levels('bid'), book.levels('ask')], (_, value: unknown) => String(value))).toBe(
            before,
          );
          expect(book.drainChanged()).toEqual([]);
        }
      }),
    );
  });

  it('FAK fills all available size up to its limit and cancels the remainder', () => {
    fc.assert(
      fc.property(books, incoming, (orders, one) => {
        const fak = bookOf(orders).place(orderOf({ ...one, kind: 'FAK' }));
        const gtc = bookOf(orders).place(orderOf({ ...one, kind: 'GTC' }));
        expect(fak.fills.map((fill) => [fill.resting.id, fill.tokenUnits])).toEqual(
          gtc.fills.map((fill) => [fill.resting.id, fill.tokenUnits]),
        );
        expect(fak.restingTokenUnits).toBe(0n);
      }),
    );
  });

  it('a purchase limited by cash never overspends, and leaves under a cent when complete', () => {
    fc.assert(
      fc.property(books, price, fc.bigInt({ min: 1_000_000n, max: 900_000_000n }), (orders, limit, usdcUnits) => {
        const book = bookOf(orders);
        const { fills, status } = book.place({
          id: 'taker',
          maker: 'taker',
          outcome: 0,
          side: 'BUY',
          limitPricePips: limit,
          kind: 'FOK',
          bound: { usdcUnits },
        });
        const spent = fills.reduce((sum, fill) => sum + cashOf(fill.tokenUnits, fill.takerPricePips), 0n);
        expect(spent).toBeLessThanOrEqual(usdcUnits);
        if (status === 'matched') expect(usdcUnits - spent).toBeLessThan(10_000n);
        for (const fill of fills) expect(fill.tokenUnits % 10_000n).toBe(0n);
      }),
    );
  });

  it('fills no more than the given maximum', () => {
    fc.assert(
      fc.property(books, incoming, size, (orders, one, maximum) => {
        const { fills } = bookOf(orders).place({ ...orderOf(one), maximumFillTokenUnits: maximum });
        expect(fills.reduce((sum, fill) => sum + fill.tokenUnits, 0n)).toBeLessThanOrEqual(maximum);
      }),
    );
  });

  it('cancels exactly one order, and a reduction keeps the queue position', () => {
    const book = bookOf([
      { outcome: 0, side: 'SELL', price: 5_000n, size: 1_000_000n },
      { outcome: 1, side: 'BUY', price: 5_000n, size: 2_000_000n },
    ]);
    book.shrink('o0', 400_000n);
    expect(book.sizeAt('ask', 5_000n)).toBe(2_400_000n);
    const { fills } = book.place({
      ...orderOf({ outcome: 0, side: 'BUY', price: 5_000n, size: 500_000n, kind: 'FAK' }),
    });
    expect(fills.map((fill) => fill.resting.id)).toEqual(['o0', 'o1']);
    expect(book.cancel('o1')).toBe(true);
    expect(book.cancel('o1')).toBe(false);
    expect(book.bestPricePips('ask')).toBeNull();
  });
});
