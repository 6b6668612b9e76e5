import { raw } from '@core/pricing';
import { describe, expect, test } from 'vitest';
import {
  bookSnapshotOf,
  eventRecordSchema,
  parseMarketMessage,
  parseMarketRecord,
  parseUserMessage,
  publicTradesSchema,
  tradingTermsOf,
  tradingTermsSchema,
  wireBookSchema,
} from '../src/index.ts';
import { tradeStateOf, wireTradeSchema } from '../src/schema/orders.ts';
import { hasRecordedData, listRecorded, readRecorded } from '../testing/recordedData.ts';

const yesToken = '21742633143463906290569050155826241533067272736897614950488156847949938836455';
const condition = '0xdd22472e552920b8438158ea7238bfadfa4f736aa4cee91a6b86c39ead110917';

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
  'http_responses__event.json': (wire) => {
    const event = eventRecordSchema.parse(wire);
    expect(event).toMatchObject({ slug: 'highest-temperature-in-nyc-on-january-26', closed: false });
    expect(event.markets).toHaveLength(3);
  },
  'http_responses__events_list.json': (wire) => {
    expect(
      eventRecordSchema
        .array()
        .parse(wire)
        .map(({ markets }) => markets.length),
    ).toEqual([1, 1, 1]);
  },
  'http_responses__market.json': (wire) => {
    expect(tradingTermsOf(tradingTermsSchema.parse(wire))).toEqual({
      conditionId: condition,
      ticker: expect.stringMatching(/^will-.*-election$/),
      tokenIds: [yesToken, '48331043336612883890938759509493159234755048973500640148014422747788308965732'],
      tickPricePips: 10n,
      minOrderTokenUnits: 5_000_000n,
      isActive: true,
      isClosed: false,
      isAcceptingOrders: true,
      isNegRisk: true,
      winnerIndex: null,
    });
  },
  'http_responses__market_slug.json': (wire) => {
    // A list that is a list for once, and nearly all fields absent: read, but on the safe side of every flag.
    const parsed = parseMarketRecord(wire);
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
    const parsed = (wire as readonly unknown[]).map((record) => parseMarketRecord(record));
    expect(parsed.map(({ kind }) => kind)).toEqual(['market', 'market', 'market']);
    const conditions = parsed.map((record) => (record.kind === 'market' ? record.market.conditionId : null));
    // Two of these conditions are too short to be one: such a market has none.
    expect(conditions).toEqual(['0x4319532e181605cb15b1bd677759a3bc7f7394b2fdf145195b700eeaedfd5221', null, null]);
  },
  'http_responses__trades.json': (wire) => {
    const trades = publicTradesSchema.parse(wire);
    expect(trades).toHaveLength(4);
    expect(trades[0]).toMatchObject({ side: 'SELL', size: '5.4', price: '0.998', timestamp: '1729000180' });
  },
  'ws_messages__book.json': (wire) => {
    const message = parseMarketMessage(wire);
    expect(message).toMatchObject({ kind: 'book', snapshot: { conditionId: condition, timestampMs: 1728799418260 } });
    const { snapshot } = message as Extract<typeof message, { kind: 'book' }>;
    expect(snapshot.bids[0]?.pricePips).toBe(5_110n);
    expect(snapshot.asks.at(-1)?.pricePips).toBe(9_990n);
  },
  'ws_messages__last_trade_price.json': (wire) => {
    expect(parseMarketMessage(wire)).toMatchObject({ kind: 'last_trade_price', tokenId: yesToken, pricePips: 4_910n });
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
      order: { status: 'live', side: 'BUY', originalTokenUnits: 5_000_000n, matchedTokenUnits: 0n, tradeIds: [] },
    });
  },
  'ws_messages__order_cancel.json': (wire) => {
    expect(parseUserMessage(wire)).toMatchObject({ kind: 'order', order: { status: 'cancelled', side: 'SELL' } });
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

describe.runIf(hasRecordedData)('recorded wire samples', () => {
  test.each(Object.entries(checks))('the adapter reads %s', (file, check) => {
    check(JSON.parse(readRecorded(`wire/${file}`)));
    expect.hasAssertions();
  });

  test('no recorded wire file is left out', () => {
    expect([...listRecorded('wire')].sort()).toEqual(Object.keys(checks).sort());
  });
});
