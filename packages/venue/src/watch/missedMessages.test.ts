import { plainOverlayOf } from '@core/market';
import { systemClock } from '@core/runtime';
import * as fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { marketOfTest, startFakeVenue } from '../../testing/fakeVenue.ts';
import { until } from '../../testing/localServers.ts';
import { HttpVenueClient } from '../client/httpVenueClient.ts';
import { HttpReferenceFeeds } from '../reference/httpReferenceFeeds.ts';
import { parseExactJson } from '../text/exactJson.ts';
import { MarketWatch } from './marketWatch.ts';
import { MissedMessages } from './missedMessages.ts';
import { WatchedMarkets } from './watchedMarkets.ts';

const endings: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end();
});

const conditionOf = (number: number): string => `0x${String(number).padStart(64, '0')}`;
const recordOf = (number: number) =>
  marketOfTest({
    slug: `m${number}`,
    conditionId: conditionOf(number),
    clobTokenIds: JSON.stringify([`${number}1`, `${number}2`]),
  });

/** Markets 1 to `count`, and the tokens that were distrusted. */
function start(count: number) {
  const markets = new WatchedMarkets();
  for (let number = 1; number <= count; number += 1) {
    markets.add(recordOf(number), plainOverlayOf(`mkt_${number}`, 'active'));
  }
  const calls: (readonly string[])[] = [];
  return { calls, markets, missed: new MissedMessages(markets, (tokenIds) => calls.push(tokenIds)) };
}

test('frames: a poison message of one market of n → its own books are read again and no other', () => {
  const poisons = (number: number) => [
    { event_type: 'book', asset_id: `${number}1`, bids: 'none' },
    { event_type: 'price_change', price_changes: [{ asset_id: `${number}2`, price: 'x' }, null] },
    { event_type: 'last_trade_price', market: conditionOf(number).toUpperCase().replace('0X', '0x') },
    { market: conditionOf(number), asset_id: 7, price_changes: {} },
  ];
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 8 }), fc.nat(7), fc.nat(3), (count, index, kind) => {
      const number = (index % count) + 1;
      const { calls, missed } = start(count);
      missed.unreadable(poisons(number)[kind], 0);
      expect(calls).toHaveLength(1);
      const own = new Set([`${number}1`, `${number}2`]);
      expect(calls[0]?.length).toBeGreaterThan(0);
      expect(calls[0]?.every((tokenId) => own.has(tokenId))).toBe(true);
    }),
  );
});

test('frames: poison of a market that is not watched → nothing is read', () => {
  const { calls, missed } = start(3);
  missed.unreadable({ event_type: 'book', asset_id: '99', market: conditionOf(99) }, 0);
  expect(calls).toEqual([[]]);
});

test('frames: a stream that names nothing → all books once in 2.5 s, and once after its end', () => {
  const { calls, markets, missed } = start(3);
  for (let now = 0; now < 10_000; now += 10) missed.unreadable(null, now);
  expect(calls).toEqual([0, 2_500, 5_000, 7_500].map(() => markets.tokenIds()));
  missed.sweep(10_000);
  missed.sweep(20_000);
  expect(calls).toHaveLength(5);
});

test('sockets: poison, unknown and hollow frames among good ones → the good ones arrive, the watch lives', async () => {
  const venue = await startFakeVenue();
  endings.push(() => venue.close());
  venue.setBook('11', {});
  venue.setBook('21', {});
  const reference = new HttpReferenceFeeds({ url: venue.server.url, clock: systemClock });
  endings.push(() => reference.close());
  const watch = new MarketWatch({
    client: new HttpVenueClient({ url: venue.server.url }),
    marketSocketUrl: venue.marketSocketUrl,
    clock: systemClock,
    reference,
  });
  endings.push(() => watch.close());
  for (const number of [1, 2]) watch.watch(recordOf(number), plainOverlayOf(`mkt_${number}`, 'active'));
  await until(() => watch.book('11') !== null && watch.book('21') !== null && watch.health().socketState === 'open');
  // Nested too deep to be walked: no JSON of any use, and no end of the process.
  const deep = `${'['.repeat(200_000)}1${']'.repeat(200_000)}`;
  expect(() => parseExactJson(deep)).toThrow(SyntaxError);
  for (const frame of [
    deep,
    '{',
    'null',
    '[null, 3, {"event_type":"new_market"}]',
    '{"event_type":"book","asset_id":"11"}',
  ]) {
    venue.broadcast(frame);
  }
  venue.setBook('21', { bids: [[5_000, 7]], asks: [[5_100, 7]] });
  await until(() => watch.book('21')?.bids[0]?.pricePips === (5_000n as unknown));
  expect(watch.health().socketState).toBe('open');
});
