import { pricePips, raw, tokenUnits } from '@core/pricing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { snapshotOf } from '../../testing/books.ts';
import type { PriceChange } from '../schema/marketMessage.ts';
import { BookStore } from './bookStore.ts';
import { isCrossed } from './tokenBook.ts';

const change: fc.Arbitrary<PriceChange> = fc.record({
  tokenId: fc.constantFrom('1', '2'),
  side: fc.constantFrom('BUY', 'SELL'),
  pricePips: fc.integer({ min: 1, max: 9_999 }).map((pips) => pricePips(BigInt(pips))),
  sizeTokenUnits: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 9 })).map((size) => tokenUnits(BigInt(size))),
  bestBidPricePips: fc.constant(undefined),
  bestAskPricePips: fc.constant(undefined),
});

/** Bids below 5,000 and asks above it never cross, so every message is published. */
const uncrossed = change.map((drawn) => {
  const pips = raw(drawn.pricePips) % 4_000n;
  return { ...drawn, pricePips: pricePips(drawn.side === 'BUY' ? pips + 1n : pips + 5_001n) };
});

const emptyBook = (tokenId: string) => snapshotOf({ tokenId, atMs: 0, bids: [], asks: [] });

test('after any changes in order the book is what a plain map of levels says, best first', () => {
  fc.assert(
    fc.property(fc.array(fc.array(uncrossed, { maxLength: 5 }), { maxLength: 40 }), (messages) => {
      const store = new BookStore();
      const model = new Map<string, bigint>();
      for (const tokenId of ['1', '2']) {
        store.confirm(emptyBook(tokenId), 0);
      }
      for (const [index, changes] of messages.entries()) {
        store.apply({ kind: 'price_change', conditionId: '0xc0', timestampMs: index + 1, changes }, index + 1);
        for (const { tokenId, side, pricePips: pips, sizeTokenUnits } of changes) {
          model.set(`${tokenId} ${side} ${raw(pips)}`, raw(sizeTokenUnits));
        }
      }
      for (const tokenId of ['1', '2']) {
        const book = store.book(tokenId);
        for (const [side, levels, direction] of [
          ['BUY', book?.bids, -1],
          ['SELL', book?.asks, 1],
        ] as const) {
          const bids = [...model]
            .map(([key, size]) => [...key.split(' '), size] as const)
            .filter(([token, modelSide, , size]) => token === tokenId && modelSide === side && size !== 0n)
            .map(([, , pips, size]) => ({ pricePips: BigInt(pips ?? 0), sizeTokenUnits: size }))
            .sort((left, right) => direction * Number(left.pricePips - right.pricePips));
          expect(levels).toEqual(bids);
        }
      }
    }),
    { numRuns: 200 },
  );
});

test('for any messages: no crossed book is published, no suspect book becomes younger', () => {
  const message = fc.record({ atMs: fc.integer({ min: 0, max: 50 }), changes: fc.array(change, { maxLength: 4 }) });
  fc.assert(
    fc.property(fc.array(message, { maxLength: 40 }), (messages) => {
      const store = new BookStore();
      for (const tokenId of ['1', '2']) {
        store.confirm(emptyBook(tokenId), 0);
      }
      for (const [index, { atMs, changes }] of messages.entries()) {
        const agesBefore = ['1', '2'].map((tokenId) => store.book(tokenId)?.receivedAtMs);
        store.apply({ kind: 'price_change', conditionId: '0xc0', timestampMs: atMs, changes }, index + 1);
        for (const [position, tokenId] of ['1', '2'].entries()) {
          const book = store.book(tokenId);
          expect(book !== null && isCrossed(book)).toBe(false);
          expect(store.needsBook(tokenId) && book?.receivedAtMs !== agesBefore[position]).toBe(false);
        }
      }
    }),
    { numRuns: 300 },
  );
});
