import { HttpVenueClient } from '@core/venue';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startVenueSim, type VenueSim } from '../src/startVenueSim.ts';
import { listPlainMarket } from '../testing/plainMarket.ts';

let sim: VenueSim;

beforeAll(async () => {
  sim = await startVenueSim({ seed: 'keyset' });
  for (let number = 0; number < 130; number += 1) await listPlainMarket(sim.venue, { slug: `plain-${number}` });
});
afterAll(() => sim.close());

async function read(path: string) {
  const response = await fetch(`${sim.url}${path}`);
  const body = (await response.json()) as { markets?: { slug: string; closed: boolean }[]; next_cursor?: string };
  return { status: response.status, ...body };
}

const openSlugs = () => sim.venue.markets.listed.filter(({ market }) => market.stage !== 'resolved');

test('keyset list: a limit of 500 → pages of 100 at most, each open market once, no cursor on the last page', async () => {
  const slugs: string[] = [];
  let query = '';
  const sizes: number[] = [];
  for (;;) {
    const { markets = [], next_cursor: cursor } = await read(`/markets/keyset?limit=500${query}`);
    slugs.push(...markets.map(({ slug }) => slug));
    sizes.push(markets.length);
    if (cursor === undefined) break;
    query = `&after_cursor=${encodeURIComponent(cursor)}`;
  }
  expect(slugs).toEqual(openSlugs().map(({ market }) => market.definition.slug));
  expect(sizes.slice(0, -1)).toEqual(sizes.slice(0, -1).map(() => 100));
});

test('keyset list: an offset or an unknown cursor → refused', async () => {
  expect((await read('/markets/keyset?offset=1')).status).toBe(422);
  expect((await read('/markets/keyset?after_cursor=bm9uZQ')).status).toBe(400);
});

test('legacy list: an offset above 2,000 → refused, and the adapter continues with the keyset list', async () => {
  expect((await read('/markets?offset=2000')).status).toBe(200);
  expect((await read('/markets?offset=2001')).status).toBe(422);
  const client = new HttpVenueClient({ url: sim.url, retry: { maxAttempts: 1 } });
  const { markets, nextCursor } = await client.cataloguePage({ limit: 500, cursor: 'offset:2001:' });
  expect(markets).toHaveLength(100);
  expect(nextCursor).toMatch(/^keyset:/);
});
