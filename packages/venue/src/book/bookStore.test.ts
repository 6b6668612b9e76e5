import { pricePips, tokenUnits } from '@core/pricing';
import { describe, expect, test } from 'vitest';
import { level, snapshotOf } from '../../testing/books.ts';
import type { MarketMessage, PriceChange } from '../schema/marketMessage.ts';
import { BookStore } from './bookStore.ts';
import { bookAgeMsOf, markOf } from './tokenBook.ts';

const changeOf = (change: Partial<PriceChange> & { pips: number; tokens: number }): PriceChange => ({
  tokenId: change.tokenId ?? '1',
  side: change.side ?? 'BUY',
  pricePips: pricePips(BigInt(change.pips)),
  sizeTokenUnits: tokenUnits(BigInt(change.tokens) * 1_000_000n),
  bestBidPricePips: change.bestBidPricePips,
  bestAskPricePips: change.bestAskPricePips,
});

const changed = (atMs: number, ...changes: readonly (Partial<PriceChange> & { pips: number; tokens: number })[]) =>
  ({
    kind: 'price_change',
    conditionId: '0xc0',
    timestampMs: atMs,
    changes: changes.map(changeOf),
  }) satisfies MarketMessage;

const storeWith = (...snapshots: readonly ReturnType<typeof snapshotOf>[]): BookStore => {
  const store = new BookStore();
  for (const snapshot of snapshots) {
    store.apply({ kind: 'book', snapshot }, snapshot.timestampMs);
  }
  return store;
};

describe('whole books', () => {
  test('a token that was never sent has no book and needs one', () => {
    const store = new BookStore();
    expect(store.book('1')).toBeNull();
    expect(store.needsBook('1')).toBe(true);
  });

  test('a newer one replaces, an older one is ignored', () => {
    const store = storeWith(snapshotOf({ atMs: 2_000 }));
    const older = snapshotOf({ atMs: 1_999, bids: [[3_000, 1]] });
    expect(store.apply({ kind: 'book', snapshot: older }, 2_500)).toEqual([{ tokenId: '1', outcome: 'ignored' }]);
    expect(store.book('1')).toMatchObject({ bids: [level(4_000, 100)], receivedAtMs: 2_000 });
    const newer = snapshotOf({ atMs: 2_001, bids: [[3_900, 7]] });
    expect(store.apply({ kind: 'book', snapshot: newer }, 3_000)).toEqual([{ tokenId: '1', outcome: 'ticked' }]);
    expect(store.book('1')).toMatchObject({ bids: [level(3_900, 7)], receivedAtMs: 3_000, venueTimestampMs: 2_001 });
  });

  test('a book with a wrong hash is rejected, and the current one becomes suspect', () => {
    const store = storeWith(snapshotOf({ atMs: 1_000 }));
    const damaged = { ...snapshotOf({ atMs: 2_000, bids: [[9_000, 1]] }), isHashValid: false };
    expect(store.apply({ kind: 'book', snapshot: damaged }, 2_000)).toEqual([{ tokenId: '1', outcome: 'suspect' }]);
    expect(store.book('1')?.bids).toEqual([level(4_000, 100)]);
    expect(store.needsBook('1')).toBe(true);
  });

  test('a crossed one is never published', () => {
    const crossed = snapshotOf({ bids: [[4_300, 1]], asks: [[4_300, 1]] });
    const store = storeWith(crossed);
    expect(store.book('1')).toBeNull();
    const sound = storeWith(snapshotOf({ atMs: 1_000 }));
    expect(sound.apply({ kind: 'book', snapshot: { ...crossed, timestampMs: 2_000 } }, 2_000)).toEqual([
      { tokenId: '1', outcome: 'suspect' },
    ]);
    expect(sound.book('1')).toMatchObject({ bids: [level(4_000, 100)], receivedAtMs: 1_000 });
  });
});

describe('changes', () => {
  test('set, add and remove levels, best first on both sides', () => {
    const store = storeWith(snapshotOf());
    store.apply(
      changed(
        2_000,
        { side: 'BUY', pips: 4_100, tokens: 5 },
        { side: 'BUY', pips: 3_900, tokens: 6 },
        { side: 'BUY', pips: 4_000, tokens: 7 },
        { side: 'SELL', pips: 4_300, tokens: 8 },
        { side: 'SELL', pips: 4_200, tokens: 0 },
      ),
      2_000,
    );
    expect(store.book('1')).toMatchObject({
      bids: [level(4_100, 5), level(4_000, 7), level(3_900, 6)],
      asks: [level(4_300, 8)],
    });
  });

  test('removing a level that is not there changes nothing', () => {
    const store = storeWith(snapshotOf());
    store.apply(changed(2_000, { pips: 1_000, tokens: 0 }), 2_000);
    expect(store.book('1')?.bids).toEqual([level(4_000, 100)]);
  });

  test('a published book does not change with later messages', () => {
    const store = storeWith(snapshotOf());
    const before = store.book('1');
    store.apply(changed(2_000, { pips: 4_000, tokens: 1 }), 2_000);
    expect(before).toMatchObject({ bids: [level(4_000, 100)], receivedAtMs: 1_000 });
  });

  test('changes of a token without a book request one', () => {
    expect(new BookStore().apply(changed(1, { pips: 4_000, tokens: 1 }), 1)).toEqual([
      { tokenId: '1', outcome: 'suspect' },
    ]);
  });

  test('changes older than the whole book are ignored', () => {
    const store = storeWith(snapshotOf({ atMs: 2_000 }));
    expect(store.apply(changed(1_999, { pips: 4_000, tokens: 1 }), 3_000)).toEqual([
      { tokenId: '1', outcome: 'ignored' },
    ]);
    expect(store.book('1')?.receivedAtMs).toBe(2_000);
  });

  test('out of order they cannot be trusted: the last good book stays, ages, and a fresh one repairs it', () => {
    const store = storeWith(snapshotOf({ atMs: 1_000 }));
    store.apply(changed(3_000, { pips: 4_000, tokens: 3 }), 3_000);
    expect(store.apply(changed(2_000, { pips: 4_000, tokens: 2 }), 3_100)).toEqual([
      { tokenId: '1', outcome: 'suspect' },
    ]);
    // Nothing published until the repair, also not by later messages in order.
    expect(store.apply(changed(4_000, { pips: 3_900, tokens: 9 }), 4_000)).toEqual([
      { tokenId: '1', outcome: 'suspect' },
    ]);
    const book = store.book('1');
    expect(book).toMatchObject({ bids: [level(4_000, 3)], receivedAtMs: 3_000 });
    expect(book === null ? null : bookAgeMsOf(book, 9_000)).toBe(6_000);
    expect(store.confirm(snapshotOf({ atMs: 3_500, bids: [[4_050, 1]] }), 4_100)).toBe('different');
    expect(store.book('1')).toMatchObject({ bids: [level(4_050, 1)], receivedAtMs: 4_100 });
    expect(store.needsBook('1')).toBe(false);
  });

  test("best prices that differ from the venue's make the book suspect", () => {
    const store = storeWith(snapshotOf());
    const fitting = {
      pips: 4_100,
      tokens: 1,
      bestBidPricePips: pricePips(4_100n),
      bestAskPricePips: pricePips(4_200n),
    };
    expect(store.apply(changed(2_000, fitting), 2_000)).toEqual([{ tokenId: '1', outcome: 'ticked' }]);
    const other = { pips: 3_000, tokens: 1, bestBidPricePips: pricePips(4_150n), bestAskPricePips: pricePips(4_200n) };
    expect(store.apply(changed(3_000, other), 3_000)).toEqual([{ tokenId: '1', outcome: 'suspect' }]);
    expect(store.book('1')?.receivedAtMs).toBe(2_000);
  });

  test('an emptied side the venue also calls empty is sound', () => {
    const store = storeWith(snapshotOf());
    const emptied = { pips: 4_000, tokens: 0, bestBidPricePips: null, bestAskPricePips: pricePips(4_200n) };
    expect(store.apply(changed(2_000, emptied), 2_000)).toEqual([{ tokenId: '1', outcome: 'ticked' }]);
    expect(store.book('1')?.bids).toEqual([]);
  });

  test('of several tokens in one message change each its own', () => {
    const store = storeWith(snapshotOf({ tokenId: '1' }), snapshotOf({ tokenId: '2' }));
    const updates = store.apply(
      changed(
        2_000,
        { tokenId: '1', pips: 4_000, tokens: 1 },
        { tokenId: '3', pips: 1, tokens: 1 },
        { tokenId: '2', pips: 4_000, tokens: 2 },
      ),
      2_000,
    );
    expect(updates).toEqual([
      { tokenId: '1', outcome: 'ticked' },
      { tokenId: '3', outcome: 'suspect' },
      { tokenId: '2', outcome: 'ticked' },
    ]);
    expect(store.book('2')?.bids).toEqual([level(4_000, 2)]);
  });
});

describe('REST reads', () => {
  test('an equal book confirms, whatever its own instant', () => {
    const store = storeWith(snapshotOf({ atMs: 2_000 }));
    expect(store.confirm(snapshotOf({ atMs: 1_000 }), 5_000)).toBe('same');
    expect(store.confirm(snapshotOf({ atMs: 2_000 }), 6_000)).toBe('same');
    expect(store.book('1')).toMatchObject({ receivedAtMs: 6_000 });
  });

  test('a different older one was overtaken and changes nothing', () => {
    const store = storeWith(snapshotOf({ atMs: 2_000 }));
    expect(store.confirm(snapshotOf({ atMs: 1_000, bids: [[1_000, 1]] }), 5_000)).toBe('older');
    expect(store.book('1')).toMatchObject({ bids: [level(4_000, 100)], receivedAtMs: 2_000 });
  });

  test('a different newer one replaces: the socket missed it', () => {
    const store = storeWith(snapshotOf({ atMs: 2_000 }));
    expect(store.confirm(snapshotOf({ atMs: 2_500, asks: [[4_500, 1]] }), 5_000)).toBe('different');
    expect(store.book('1')?.asks).toEqual([level(4_500, 1)]);
  });
});

describe('marks and the 5-second rule', () => {
  test('the mid is rounded down to a whole pip', () => {
    const store = storeWith(snapshotOf({ bids: [[4_001, 1]], asks: [[4_004, 1]] }));
    const book = store.book('1');
    expect(book && markOf(book, 1_000)).toEqual({ pricePips: 4_002n, isAttestable: true });
  });

  test('after five seconds it is shown and no longer attested', () => {
    const book = storeWith(snapshotOf({ atMs: 1_000 })).book('1');
    expect(book && markOf(book, 6_000)).toMatchObject({ isAttestable: true });
    expect(book && markOf(book, 6_001)).toEqual({ pricePips: 4_100n, isAttestable: false });
  });

  test('while a side is missing the last valid mid stays, and is never attested', () => {
    const store = storeWith(snapshotOf({ atMs: 1_000 }));
    store.apply(changed(2_000, { pips: 4_000, tokens: 0 }), 2_000);
    const book = store.book('1');
    expect(book && markOf(book, 2_000)).toEqual({ pricePips: 4_100n, isAttestable: false });
    expect(book?.lastMid).toEqual({ pricePips: 4_100n, atMs: 1_000 });
  });

  test('a book that never had two sides has no mark', () => {
    const book = storeWith(snapshotOf({ bids: [] })).book('1');
    expect(book && markOf(book, 1_000)).toBeNull();
  });
});

test('trades and ticks are kept beside the book and do not make it younger', () => {
  const store = storeWith(snapshotOf());
  const trade = {
    kind: 'last_trade_price',
    conditionId: '0xc0',
    tokenId: '1',
    timestampMs: 2,
    pricePips: pricePips(77n),
    sizeTokenUnits: tokenUnits(5n),
    takerSide: 'BUY',
  } as const;
  for (let count = 0; count < 40; count += 1) store.apply(trade, 1_900 + count);
  store.apply({ ...trade, pricePips: pricePips(78n), takerSide: null }, 2_000);
  store.apply(
    { kind: 'tick_size_change', conditionId: '0xc0', tokenId: '1', timestampMs: 2, newTickPricePips: pricePips(10n) },
    3_000,
  );
  expect(store.book('1')).toMatchObject({ tickPricePips: 10n, receivedAtMs: 1_000 });
  const trades = store.book('1')?.trades ?? [];
  expect(trades).toHaveLength(30);
  expect(trades.slice(0, 2)).toEqual([
    { atMs: 2_000, pricePips: 78n, sizeTokenUnits: 5n, takerSide: null },
    { atMs: 1_939, pricePips: 77n, sizeTokenUnits: 5n, takerSide: 'BUY' },
  ]);
  expect(
    store.apply({ kind: 'market_resolved', conditionId: '0xc0', winningTokenId: null, timestampMs: 3 }, 3_000),
  ).toEqual([]);
});

test('a dropped token is forgotten', () => {
  const store = storeWith(snapshotOf());
  store.drop('1');
  store.suspect('1');
  expect(store.book('1')).toBeNull();
});
