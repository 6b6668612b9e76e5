import { fixedClock } from '@core/runtime/testing';
import * as fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { type Reply, startLocalServer, until } from '../../testing/localServers.ts';
import { onePoison } from '../../testing/onePoison.ts';
import { HttpReferenceFeeds } from './httpReferenceFeeds.ts';
import { ListedReadings } from './listedReadings.ts';

const endings: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end();
});

const start = async (reply: (path: string) => Reply) => {
  const server = await startLocalServer({ reply: ({ path }) => reply(path) });
  endings.push(() => server.close());
  const faults: string[] = [];
  const timing = { spotIntervalMs: 5, gamesIntervalMs: 5 };
  const onFault = (feed: string) => faults.push(feed);
  const feeds = new HttpReferenceFeeds({ url: server.url, clock: fixedClock(10_000), onFault, ...timing });
  endings.push(() => feeds.close());
  return { server, feeds, faults };
};

const rubbish = [null, 3, 'x', {}, { slug: 'g', price_usd: [], live: 'yes' }];

test('feeds: one entry of n is rubbish → the others are read', async () => {
  const gameOf = (number: number) => ({ slug: `g${number}`, elapsed_seconds: number, live: true, ended: false });
  let games: unknown[] = [];
  let assets: Record<string, unknown> = {};
  const { feeds } = await start((path) => ({ json: path === '/reference/spot' ? { assets } : { games } }));
  const cases = fc.tuple(onePoison(6, ['rubbish']), fc.constantFrom(...rubbish));
  for (const [{ count, poisoned }, bad] of fc.sample(cases, 20)) {
    const numbers = Array.from({ length: count }, (_, number) => number);
    games = numbers.map((number) => (number === poisoned ? bad : gameOf(number)));
    assets = Object.fromEntries(
      numbers.map((number) => [`A${number}`, number === poisoned ? bad : { price_usd: '1', timestamp_ms: 5 }]),
    );
    await feeds.refresh();
    for (const number of numbers.filter((one) => one !== poisoned)) {
      expect(feeds.gameOf(`g${number}`)?.elapsedSeconds).toBe(number);
      expect(feeds.spotOf(`A${number}`)?.priceUsd).toBe('1');
    }
  }
});

test('feeds: one of them asks for a pause → it is left alone, the other keeps its pace', async () => {
  const { server, faults } = await start((path) =>
    path === '/reference/games'
      ? { status: 429, headers: { 'retry-after': '60' }, json: {} }
      : { json: { assets: {} } },
  );
  const countOf = (path: string) => server.requests.filter((request) => request.path === path).length;
  await until(() => countOf('/reference/spot') >= 20 && faults.length >= 5);
  expect(countOf('/reference/games')).toBe(1);
  expect(new Set(faults)).toEqual(new Set(['games']));
});

test('readings: a feed lists other subjects every day → only those listed lately stay', () => {
  const readings = new ListedReadings<number>();
  for (let day = 0; day < 50; day += 1) {
    readings.list(
      [
        ['always', day],
        [`day ${day}`, day],
      ],
      day * 86_400_000,
    );
  }
  expect([...readings.subjects]).toEqual(['always', 'day 49']);
  expect([readings.get('always'), readings.get('day 48')]).toEqual([49, null]);
  const { subjects } = readings;
  readings.list([['day 49', 50]], 49 * 86_400_000 + 600_000);
  expect(readings.subjects).toBe(subjects);
  readings.list([['day 49', 51]], 49 * 86_400_000 + 600_001);
  expect([...readings.subjects]).toEqual(['day 49']);
});
