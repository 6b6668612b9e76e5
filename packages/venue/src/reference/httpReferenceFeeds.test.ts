import type { VenueMarket } from '@core/market';
import { sampleVenueMarket } from '@core/market/testing';
import { fixedClock } from '@core/runtime/testing';
import { afterEach, describe, expect, test } from 'vitest';
import { type Reply, startLocalServer, until } from '../../testing/localServers.ts';
import { referenceOf } from '../watch/referenceOf.ts';
import { HttpReferenceFeeds } from './httpReferenceFeeds.ts';

const endings: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) {
    await end();
  }
});

const spot = (priceUsd: unknown, atMs: unknown = 5_000): Reply => ({
  json: { assets: { BTC: { price_usd: priceUsd, timestamp_ms: atMs } } },
});

const game = {
  slug: 'g',
  started_at_ms: 1_000,
  elapsed_seconds: 90.7,
  period: 2,
  score: '1-0',
  live: true,
  ended: false,
};

/** A busy machine may take a second for an answer; only where silence is tested is the limit short. */
const start = async (replies: { spot: Reply; games: Reply }, timeoutMs = 5_000) => {
  const clock = fixedClock(10_000);
  const faults: string[] = [];
  const server = await startLocalServer({
    reply: ({ path }) => (path === '/reference/spot' ? replies.spot : replies.games),
  });
  endings.push(() => server.close());
  const feeds = new HttpReferenceFeeds({
    url: server.url,
    clock,
    spotIntervalMs: 10,
    gamesIntervalMs: 10,
    timeoutMs,
    onFault: (feed, fault) => faults.push(`${feed} ${fault.origin} ${fault.kind}`),
  });
  endings.push(() => feeds.close());
  return { clock, faults, server, feeds, replies };
};

describe('polling', () => {
  test('keeps spot prices as text with the feed’s own instant, and games with ours', async () => {
    const { feeds } = await start({ spot: spot('97012.123456789012345678'), games: { json: { games: [game] } } });
    await feeds.refresh();
    expect(feeds.spotOf('BTC')).toEqual({ asset: 'BTC', priceUsd: '97012.123456789012345678', atMs: 5_000 });
    expect([...feeds.assets()]).toEqual(['BTC']);
    expect(feeds.spotOf('DOGE')).toBeNull();
    expect(feeds.gameOf('g')).toEqual({
      slug: 'g',
      startedAtMs: 1_000,
      elapsedSeconds: 90,
      period: '2',
      score: '1-0',
      isLive: true,
      isEnded: false,
      observedAtMs: 10_000,
    });
  });

  test('follows the feed', async () => {
    const { feeds, replies } = await start({ spot: spot('1'), games: { json: { games: [] } } });
    await until(() => feeds.spotOf('BTC')?.priceUsd === '1');
    replies.spot = spot('2', '6000');
    await until(() => feeds.spotOf('BTC')?.priceUsd === '2');
    expect(feeds.spotOf('BTC')?.atMs).toBe(6_000);
  });

  test.each<[string, Reply]>([
    ['an error', { status: 500, json: {} }],
    ['no JSON', { text: '<html>' }],
    ['another shape', { json: { assets: 3, games: 3 } }],
    ['silence', 'hang'],
    ['a cut line', 'reset'],
  ])('%s is a retryable fault of the reference, the last reading stays', async (_name, reply) => {
    const { feeds, replies, faults } = await start({ spot: spot('1'), games: { json: { games: [game] } } }, 100);
    await until(() => feeds.spotOf('BTC') !== null && feeds.gameOf('g') !== null);
    replies.spot = reply;
    replies.games = reply;
    await until(() => faults.includes('spot reference retryable') && faults.includes('games reference retryable'));
    expect(feeds.spotOf('BTC')?.priceUsd).toBe('1');
    expect(feeds.gameOf('g')?.score).toBe('1-0');
  });

  test('an unreadable price is ignored', async () => {
    const { feeds } = await start({
      spot: spot('-5'),
      games: { json: { games: [{ ...game, elapsed_seconds: 'x' }] } },
    });
    await feeds.refresh();
    expect(feeds.spotOf('BTC')).toBeNull();
    expect(feeds.gameOf('g')).toBeNull();
  });
});

describe('what a decision reads', () => {
  const marketOf = (subject: Partial<VenueMarket>) =>
    sampleVenueMarket('m', 0, {
      cryptoAsset: null,
      typicalLengthMs: 100_000,
      event: { slug: 'g', title: 'G' },
      ...subject,
    });

  test('the age of a spot price is counted from the feed’s instant, so a frozen feed grows old', async () => {
    const { feeds } = await start({ spot: spot('1', 5_000), games: { json: { games: [] } } });
    await feeds.refresh();
    const crypto = marketOf({ cryptoAsset: 'BTC' });
    expect(referenceOf(crypto, feeds, 12_000)).toEqual({
      ageMs: 7_000,
      elapsedBps: null,
      isLive: false,
      isEnded: false,
    });
    expect(referenceOf(crypto, feeds, 1_000)).toMatchObject({ ageMs: 0 });
    expect(referenceOf(marketOf({ cryptoAsset: 'ETH' }), feeds, 1_000)).toBeNull();
  });

  test('a running game has its elapsed share, at most all of it', async () => {
    const { feeds, replies } = await start({ spot: spot('1'), games: { json: { games: [game] } } });
    await feeds.refresh();
    expect(referenceOf(marketOf({}), feeds, 10_500)).toEqual({
      ageMs: 500,
      elapsedBps: 9_000,
      isLive: true,
      isEnded: false,
    });
    expect(referenceOf(marketOf({ typicalLengthMs: 10_000 }), feeds, 10_500)).toMatchObject({ elapsedBps: 10_000 });
    expect(referenceOf(marketOf({ event: null }), feeds, 10_500)).toBeNull();
    replies.games = { json: { games: [{ ...game, live: false }] } };
    await feeds.refresh();
    expect(referenceOf(marketOf({}), feeds, 10_500)).toMatchObject({ elapsedBps: null, isLive: false });
    replies.games = { json: { games: [{ ...game, live: false, ended: true }] } };
    await feeds.refresh();
    expect(referenceOf(marketOf({}), feeds, 10_500)).toMatchObject({ elapsedBps: 10_000, isEnded: true });
  });
});
