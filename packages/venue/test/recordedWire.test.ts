import { raw } from '@core/pricing';
import { describe, expect, test } from 'vitest';
import { BookStore } from '../src/book/bookStore.ts';
import { parseMarketRecord } from '../src/market/parseMarketRecord.ts';
import { bookSnapshotOf, wireBookSchema } from '../src/schema/book.ts';
import { parseMarketMessage } from '../src/schema/marketMessage.ts';
import { tradeStateOf, wireTradeSchema } from '../src/schema/orders.ts';
import { parseUserMessage } from '../src/schema/userMessage.ts';
import { hasRecordedWire, listRecorded, readRecorded } from '../testing/recordedData.ts';

const yesToken = '21742633143463906290569050155826241533067272736897614950488156847949938836455';
const condition = '0xdd22472e552920b8438158ea7238bfadfa4f736aa4cee91a6b86c39ead110917';

/** A recorded catalogue record with the version that records have had since. */
const versioned = (record: unknown) => ({ ...Object(record), version: 'v1' });

/** Each recorded file → what the adapter makes of it. A file without a check fails the last test. */
const checks: Readonly<Record<string, (wire: unknown) => void>> = {
  'http_responses__book.json': (wire) => {
    const book = bookSnapshotOf(wireBookSchema.parse(wire)) ?? expect.fail('unreadable');
    expect(book).toMatchObject({ timestampMs: 1728799418260, isHashValid: null, tickPricePips: null });
    expect(book.bids.map(({ pricePips }) => raw(pricePips))).toEqual([1_000n, 900n, 800n, 600n, 100n]);
    expect(book.asks.map(({ pricePips }) => raw(pricePips))).toEqual([
      1_400n,
      2_000n,
      3_800n,
      4_600n,
      4_700n,
      5_000n,
      9_800n,
    ]);
    expect(book.asks[2]?.sizeTokenUnits).toBe(192_300_000n);
  },
  'http_responses__market_slug.json': (wire) => {
    // A list that is a list for once, and nearly all fields absent: read, but on the safe side of every flag.
    const parsed = parseMarketRecord(versioned(wire));
    expect(parsed).toMatchObject({
      kind: 'market',
      market: {
        ticker: expect.stringMatching(/-in-2025$/),
        category: 'unsupported',
        venueFeeSchedule: null,
        isAcceptingOrders: false,
        hasOrderBook: false,
        closeTimeMs: null,
        tokenIds: { yes: '41731245504777162452560887531170605263832832998797939951071198553974989813715' },
      },
    });
  },
  'http_responses__markets_list.json': (wire) => {
    const parsed = (wire as readonly unknown[]).map((record) => parseMarketRecord(versioned(record)));
    expect(parsed.map(({ kind }) => kind)).toEqual(['market', 'market', 'market']);
    const conditions = parsed.map((record) => (record.kind === 'market' ? record.market.conditionId : null));
    // Two of these conditions are too short to be one: such a market has none.
    expect(conditions).toEqual(['0x4319532e181605cb15b1bd677759a3bc7f7394b2fdf145195b700eeaedfd5221', null, null]);
  },
  'ws_messages__book.json': (wire) => {
    const message = parseMarketMessage(wire);
    expect(message).toMatchObject({ kind: 'book', snapshot: { conditionId: condition, timestampMs: 1728799418260 } });
    const { snapshot } = message as Extract<typeof message, { kind: 'book' }>;
    expect(snapshot.bids[0]?.pricePips).toBe(5_110n);
    expect(snapshot.asks.at(-1)?.pricePips).toBe(9_990n);
  },
  'ws_messages__last_trade_price.json': (wire) => {
    expect(parseMarketMessage(wire)).toMatchObject({
      kind: 'last_trade_price',
      tokenId: yesToken,
      pricePips: 4_910n,
      takerSide: 'SELL',
      sizeTokenUnits: 85_360_000n,
    });
  },
  'ws_messages__price_change.json': (wire) => {
    expect(parseMarketMessage(wire)).toEqual({
      kind: 'price_change',
      conditionId: condition,
      timestampMs: 1723967931411,
      changes: [
        {
          tokenId: '48331043336612883890938759509493159234755048973500640148014422747788308965732',
          side: 'SELL',
          pricePips: 5_140n,
          sizeTokenUnits: 21_574_080_000n,
          bestBidPricePips: undefined,
          bestAskPricePips: undefined,
        },
      ],
    });
  },
  'ws_messages__price_change_v2.json': (wire) => {
    const message = parseMarketMessage(wire);
    expect(message).toMatchObject({ kind: 'price_change', timestampMs: 1729084877448 });
    const { changes } = message as Extract<typeof message, { kind: 'price_change' }>;
    expect(changes.map(({ pricePips, sizeTokenUnits }) => [raw(pricePips), raw(sizeTokenUnits)])).toEqual([
      [6_000n, 3_300_000_000n],
      [5_000n, 3_400_000_000n],
      [7_000n, 3_400_000_000n],
    ]);
    expect(changes[0]).toMatchObject({ bestBidPricePips: 6_000n, bestAskPricePips: 7_000n });
  },
  'ws_messages__tick_size_change.json': (wire) => {
    expect(parseMarketMessage(wire)).toMatchObject({ kind: 'tick_size_change', newTickPricePips: 10n });
  },
  'ws_messages__order_placement.json': (wire) => {
    expect(parseUserMessage(wire)).toMatchObject({
      kind: 'order',
      event: 'placement',
      order: { status: 'live', side: 'BUY', originalTokenUnits: 5_000_000n, matchedTokenUnits: 0n, tradeIds: [] },
    });
  },
  'ws_messages__order_cancel.json': (wire) => {
    expect(parseUserMessage(wire)).toMatchObject({
      kind: 'order',
      event: 'cancellation',
      order: { status: 'cancelled', side: 'SELL', matchedTokenUnits: 5_000_000n },
    });
  },
  'ws_messages__trades.json': (wire) => {
    // This shape also comes from REST, without an event type.
    expect(tradeStateOf(wireTradeSchema.parse(wire))).toMatchObject({
      status: 'CONFIRMED',
      pricePips: 4_890n,
      tokenUnits: 5_000_000n,
      matchedAtMs: 1726043102_000,
    });
  },
  'ws_messages__user_trade1.json': (wire) => {
    const message = parseUserMessage(wire);
    expect(message).toMatchObject({ kind: 'trade', trade: { status: 'MINED', tokenUnits: 1_096_870_000n } });
    const { trade } = message as Extract<typeof message, { kind: 'trade' }>;
    const matched = trade.makerFills.reduce((sum, fill) => sum + raw(fill.matchedTokenUnits), 0n);
    expect(matched).toBe(raw(trade.tokenUnits));
  },
  'ws_messages__user_trade2.json': (wire) => {
    expect(parseUserMessage(wire)).toMatchObject({ kind: 'trade', trade: { status: 'MATCHED', side: 'BUY' } });
  },
  'ws_messages__user_trade3.json': (wire) => {
    expect(parseUserMessage(wire)).toMatchObject({ kind: 'trade', trade: { lastUpdateMs: 1762776436_000 } });
  },
  'ws_messages__user_trade4.json': (wire) => {
    const message = parseUserMessage(wire);
    const { trade } = message as Extract<typeof message, { kind: 'trade' }>;
    expect(trade.makerFills.map(({ pricePips }) => raw(pricePips))).toEqual([4_000n, 3_500n, 3_000n]);
  },
};

/** Answers of endpoints the adapter does not ask: events, the trades of all accounts, the engine's own market terms. */
const notAsked = [
  'http_responses__event.json',
  'http_responses__events_list.json',
  'http_responses__market.json',
  'http_responses__trades.json',
];

describe.runIf(hasRecordedWire)('recorded wire samples', () => {
  test.each(Object.entries(checks))('the adapter reads %s', (file, check) => {
    check(JSON.parse(readRecorded(`wire/${file}`)));
    expect.hasAssertions();
  });

  test('no recorded wire file is left out', () => {
    expect([...listRecorded('wire')].sort()).toEqual([...Object.keys(checks), ...notAsked].sort());
  });
});

/** A recorded sample with some of its fields as the venue also writes them; an undefined field is left out. */
const variantOf = (file: string, changes: Readonly<Record<string, unknown>>): unknown =>
  JSON.parse(JSON.stringify({ ...(JSON.parse(readRecorded(`wire/${file}`)) as object), ...changes }));

describe.runIf(hasRecordedWire)('recorded wire samples with the fields that the venue writes in several ways', () => {
  const killed = "CANCELED_order couldn't be fully filled. FOK orders are fully filled/killed.";

  test.each([[null], [[]], [undefined]])('a killed order is cancelled with nothing matched (trades %j)', (trades) => {
    const changes = { status: killed, size_matched: '', order_type: 'FOK', associate_trades: trades };
    expect(parseUserMessage(variantOf('ws_messages__order_cancel.json', changes))).toMatchObject({
      kind: 'order',
      event: 'cancellation',
      order: { status: 'cancelled', matchedTokenUnits: 0n, originalTokenUnits: 5_000_000n, tradeIds: [] },
    });
  });

  test('an update of a partly filled order keeps what was matched', () => {
    const changes = { type: 'UPDATE', size_matched: '2.5', associate_trades: ['t1'] };
    expect(parseUserMessage(variantOf('ws_messages__order_placement.json', changes))).toMatchObject({
      event: 'update',
      order: { status: 'live', matchedTokenUnits: 2_500_000n, tradeIds: ['t1'] },
    });
  });

  test.each([
    ['an empty size of an order that was not killed', { size_matched: '' }],
    ['a sentence that is no cancellation', { status: 'DELAYED_for a reason', size_matched: '' }],
  ])('%s is never guessed', (_name, changes) => {
    expect(parseUserMessage(variantOf('ws_messages__order_cancel.json', changes))).toBeNull();
  });

  test.each([
    ['seconds', '1704067200', '1704067201'],
    ['milliseconds', '1704067200000', '1704067201000'],
    ['ISO 8601', '2024-01-01T00:00:00Z', '2024-01-01T00:00:01Z'],
  ])('a trade is dated in %s', (_name, match_time, last_update) => {
    const times = { matchedAtMs: 1704067200_000, lastUpdateMs: 1704067201_000 };
    const message = parseUserMessage(variantOf('ws_messages__user_trade2.json', { match_time, last_update }));
    expect(message).toMatchObject({ kind: 'trade', trade: times });
    const entry = variantOf('ws_messages__trades.json', { match_time, last_update });
    expect(tradeStateOf(wireTradeSchema.parse(entry))).toMatchObject(times);
  });

  test.each([
    ['an odd number of digits', '0xabc', '0xabc'],
    ['no prefix', 'AB12', '0xAB12'],
    ['nothing', '', null],
    ['null', null, null],
    ['no field', undefined, null],
    ['no hexadecimal', 'pending', null],
  ])('the transaction hash may be %s', (_name, transaction_hash, transactionHash) => {
    const message = parseUserMessage(variantOf('ws_messages__user_trade2.json', { transaction_hash }));
    expect(message).toMatchObject({ kind: 'trade', trade: { transactionHash } });
  });

  test('a maker order need not have a hash for an id', () => {
    const { maker_orders } = JSON.parse(readRecorded('wire/ws_messages__user_trade2.json')) as {
      readonly maker_orders: readonly object[];
    };
    const changes = { maker_orders: maker_orders.map((order) => ({ ...order, order_id: 'quote-7' })) };
    expect(parseUserMessage(variantOf('ws_messages__user_trade2.json', changes))).toMatchObject({
      trade: { makerFills: [{ orderId: 'quote-7', matchedTokenUnits: 5_000_000n }] },
    });
  });

  test.each([[undefined], [null], ['']])('a book without a hash is usable, its hash unknown (%j)', (hash) => {
    const complete = { min_order_size: '5', tick_size: '0.001', neg_risk: false, last_trade_price: '0.5' };
    const message = parseMarketMessage(variantOf('ws_messages__book.json', { ...complete, hash }));
    expect(message).toMatchObject({ kind: 'book', snapshot: { hash: null, isHashValid: null } });
    const books = new BookStore();
    const { snapshot } = message as Extract<typeof message, { kind: 'book' }>;
    expect(books.apply({ kind: 'book', snapshot }, 1)).toEqual([{ tokenId: snapshot.tokenId, outcome: 'ticked' }]);
    expect(books.book(snapshot.tokenId)?.bids[0]?.pricePips).toBe(5_110n);
    // The same content with a hash that is not its own is damaged, not unknown.
    const damaged = parseMarketMessage(variantOf('ws_messages__book.json', complete));
    expect(damaged).toMatchObject({ kind: 'book', snapshot: { isHashValid: false } });
  });
});
