import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startVenueSim, type VenueSim } from '../src/startVenueSim.ts';
import { read } from '../testing/simHttp.ts';

/** No request makes the venue respond with a fault of its own. */
describe('any request', () => {
  let sim: VenueSim;

  beforeAll(async () => {
    sim = await startVenueSim({ seed: 'any request' });
  });

  afterAll(async () => {
    await sim.close();
  });

  const path = fc.constantFrom('/order', '/control/scenarios', '/control/clock', '/control/replays');
  const contentType = fc.constantFrom('application/json', 'text/csv', 'text/plain', '');
  const order = fc.record(
    {
      salt: fc.anything(),
      maker: fc.anything(),
      tokenId: fc.oneof(fc.anything(), fc.constant('1')),
      makerAmount: fc.oneof(fc.anything(), fc.bigInt({ min: 0n }).map(String)),
      side: fc.constantFrom('BUY', 'SELL', 0, 2, null),
    },
    { requiredKeys: [] },
  );
  const json = fc.oneof(fc.json(), fc.record({ order, orderType: fc.anything(), owner: fc.anything() }).map(textOf));
  const body = fc.oneof(json, fc.string({ maxLength: 300 }));

  it('answers any body below 500', async () => {
    await fc.assert(
      fc.asyncProperty(path, contentType, body, async (target, type, sent) => {
        const headers = type === '' ? {} : { 'content-type': type };
        const response = await fetch(`${sim.url}${target}`, { method: 'POST', headers, body: sent });
        await response.arrayBuffer();
        expect(response.status).toBeLessThan(500);
      }),
      { numRuns: 400 },
    );
  });

  it('answers any query below 500', async () => {
    const route = fc.constantFrom(
      '/markets',
      '/events',
      '/series',
      '/book',
      '/price',
      '/midpoint',
      '/prices-history',
      '/holders',
      '/data/trades',
      '/data/orders',
      '/data/order/x',
      '/markets/x',
      '/nowhere',
    );
    const name = fc.constantFrom('limit', 'offset', 'cursor', 'slug', 'token_id', 'market', 'startTs', 'closed', 'id');
    await fc.assert(
      fc.asyncProperty(
        route,
        fc.array(fc.tuple(name, fc.string({ maxLength: 40 })), { maxLength: 4 }),
        async (target, query) => {
          const search = new URLSearchParams(query.map(([key, value]): [string, string] => [key, value]));
          const response = await fetch(`${sim.url}${target}?${search}`);
          await response.arrayBuffer();
          expect(response.status).toBeLessThan(500);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('pages markets, events and series by offset and by cursor alike', async () => {
    for (const list of ['markets', 'events', 'series']) {
      const all = (await read(sim, `/${list}?limit=500`)).body.map(({ slug }: { slug: string }) => slug);
      const byCursor: string[] = [];
      let cursor = '';
      do {
        const { body: page } = await read(sim, `/${list}?limit=4&cursor=${encodeURIComponent(cursor)}`);
        byCursor.push(...page.data.map(({ slug }: { slug: string }) => slug));
        cursor = page.next_cursor;
      } while (cursor !== 'LTE=');
      expect(byCursor).toEqual(all);
      expect(new Set(all).size).toBe(all.length);
    }
  });
});

function textOf(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? part.toString() : part)) ?? '';
}
