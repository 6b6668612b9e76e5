import * as fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { type Reply, type SeenRequest, startLocalServer } from '../../testing/localServers.ts';
import { isVenueFault } from '../port/venueFault.ts';
import { HttpVenueClient } from './httpVenueClient.ts';

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

interface Venue {
  readonly count: number;
  /** Most records on a page, whatever the limit asks for. */
  readonly clamp: number;
  /** Largest offset of the old list. */
  readonly maxOffset: number;
  readonly hasOldList: boolean;
  readonly hasKeyset: boolean;
  /** Pages that are one record shorter, as if it had gone. */
  readonly shortPages: boolean;
}

const recordOf = (number: number) => ({
  slug: `m${number}`,
  version: 'v1',
  question: `Market ${number}?`,
  outcomes: '["Yes","No"]',
  closed: false,
});

const refusalOf = (status: number, error: string): Reply => ({ status, json: { error } });

/** The catalogue of a venue as its two lists send it. */
function replyOf(venue: Venue, { path, query }: SeenRequest): Reply {
  const all = Array.from({ length: venue.count }, (_, number) => recordOf(number));
  const limit = Math.min(Number(query.get('limit')), venue.clamp);
  if (path === '/markets/keyset') {
    if (!venue.hasKeyset) return refusalOf(404, 'no such path');
    if (query.has('offset')) return refusalOf(422, 'offset is not supported here');
    const from = Number(query.get('after_cursor') ?? 0);
    const markets = all.slice(from, from + limit);
    const isLast = from + limit >= all.length;
    return { json: { markets, ...(isLast ? {} : { next_cursor: String(from + limit) }) } };
  }
  if (path !== '/markets' || !venue.hasOldList) return refusalOf(410, 'this list was retired');
  const offset = Number(query.get('offset') ?? 0);
  if (offset > venue.maxOffset) return refusalOf(422, 'offset too large: read /markets/keyset');
  const page = all.slice(offset, offset + limit);
  return { json: venue.shortPages && page.length > 1 ? page.slice(0, -1) : page };
}

/** Slugs of a whole pass, in order, and the requests it took. */
async function pass(client: HttpVenueClient, limit = 500) {
  const slugs: string[] = [];
  let cursor: string | null = null;
  let pageCount = 0;
  do {
    const page = await client.cataloguePage({ limit, closed: false, ...(cursor === null ? {} : { cursor }) });
    slugs.push(...page.markets.map(({ ticker }) => ticker));
    cursor = page.nextCursor;
    pageCount += 1;
  } while (cursor !== null && pageCount < 1_000);
  return { slugs, pageCount };
}

const start = async (venue: Venue, catalogueList: 'offset' | 'keyset' = 'offset') => {
  const server = await startLocalServer({ reply: (request) => replyOf(venue, request) });
  endings.push(() => server.close());
  return { server, client: new HttpVenueClient({ url: server.url, catalogueList, retry: { maxAttempts: 1 } }) };
};

const usual: Venue = {
  count: 2_600,
  clamp: 100,
  maxOffset: 2_000,
  hasOldList: true,
  hasKeyset: true,
  shortPages: false,
};
const everySlug = (count: number) => Array.from({ length: count }, (_, number) => `m${number}`);

test('catalogue: 2,600 records, pages cut down to 100, offsets above 2,000 refused → read whole, from then on by key', async () => {
  const { server, client } = await start(usual);
  expect(new Set((await pass(client)).slugs)).toEqual(new Set(everySlug(2_600)));
  server.requests.length = 0;
  expect(await pass(client)).toEqual({ slugs: everySlug(2_600), pageCount: 26 });
  expect(new Set(server.requests.map(({ path }) => path))).toEqual(new Set(['/markets/keyset']));
});

test('catalogue: the profile names the keyset list → no request to the old one; where it is missing, the old one is read', async () => {
  const { server, client } = await start({ ...usual, hasOldList: false }, 'keyset');
  expect(await pass(client)).toEqual({ slugs: everySlug(2_600), pageCount: 26 });
  expect(new Set(server.requests.map(({ path }) => path))).toEqual(new Set(['/markets/keyset']));
  const old = await start({ ...usual, count: 250, hasKeyset: false }, 'keyset');
  expect((await pass(old.client)).slugs).toEqual(everySlug(250));
  expect(old.server.requests.filter(({ path }) => path === '/markets/keyset')).toHaveLength(1);
});

test('catalogue: a page inside the keyset list is refused → the fault of the page, and no other list', async () => {
  const { client } = await start(usual, 'keyset');
  const old = await start({ ...usual, hasKeyset: false }, 'keyset');
  const { nextCursor } = await client.cataloguePage({ limit: 100 });
  const fault = await old.client
    .cataloguePage({ limit: 100, cursor: nextCursor ?? '' })
    .catch((error: unknown) => error);
  expect(isVenueFault(fault) && fault.code).toBe('not_found');
});

test('catalogue: pages cut down or a record short, with or without the old list → every record is read', async () => {
  const venues = fc.record<Venue>({
    count: fc.integer({ min: 0, max: 90 }),
    clamp: fc.integer({ min: 2, max: 40 }),
    maxOffset: fc.constantFrom(10, 1_000),
    hasOldList: fc.boolean(),
    hasKeyset: fc.constant(true),
    shortPages: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(venues, fc.integer({ min: 2, max: 50 }), async (venue, limit) => {
      const { client } = await start(venue);
      const { slugs, pageCount } = await pass(client, limit);
      expect(pageCount).toBeLessThan(1_000);
      expect(new Set(slugs)).toEqual(new Set(everySlug(venue.count)));
    }),
    { numRuns: 30 },
  );
});

test('catalogue: offsets are refused and there is no other list → the refusal of the list is the fault', async () => {
  const { client } = await start({ ...usual, hasKeyset: false });
  const fault = await pass(client).catch((error: unknown) => error);
  expect(isVenueFault(fault) && fault.code).toBe('list_refused');
});

test('catalogue: a list that ignores offsets, or repeats its cursor → the pass ends', async () => {
  const page = [recordOf(1), recordOf(2)];
  for (const json of [page, { data: page, next_cursor: 'MQ==' }, { markets: page, next_cursor: 'MQ==' }]) {
    const server = await startLocalServer({ reply: () => ({ json }) });
    endings.push(() => server.close());
    const { slugs, pageCount } = await pass(new HttpVenueClient({ url: server.url }));
    expect([new Set(slugs), pageCount]).toEqual([new Set(['m1', 'm2']), 2]);
  }
});
