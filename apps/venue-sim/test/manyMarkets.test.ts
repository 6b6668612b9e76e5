import { createServer, request as httpRequest } from 'node:http';
import { observedStatusOf, plainOverlayOf } from '@core/market';
import { listen } from '@core/runtime';
import { HttpReferenceFeeds, HttpVenueClient, MarketWatch, RequestBudget, realVenueProfile } from '@core/venue';
import { expect, it } from 'vitest';
import { startVenueSim } from '../src/startVenueSim.ts';
import { eventually } from '../testing/simHttp.ts';

const { limits } = realVenueProfile;
const windowMs = 10_000;

/** Start a proxy that rejects requests beyond the real venue's limits per address. */
async function startLimiter(upstream: string) {
  const sentAtMs = new Map<string, number[]>();
  let refusedCount = 0;
  let requestCount = 0;
  const server = createServer((request, response) => {
    requestCount += 1;
    const [path = ''] = (request.url ?? '').split('?');
    const limit = limits
      .filter((candidate) => path === candidate.path || path.startsWith(`${candidate.path}/`))
      .toSorted((left, right) => right.path.length - left.path.length)[0];
    const key = limit?.path ?? path;
    const nowMs = performance.now();
    const recent = (sentAtMs.get(key) ?? []).filter((atMs) => atMs > nowMs - windowMs);
    sentAtMs.set(key, [...recent, nowMs]);
    if (limit !== undefined && recent.length >= limit.requestsPer10Seconds) {
      refusedCount += 1;
      response.writeHead(429).end('{"error":"Too Many Requests"}');
      return;
    }
    const forwarded = httpRequest(`${upstream}${request.url}`, { method: request.method }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, { 'content-type': 'application/json' });
      answer.pipe(response);
    });
    // Connections are closed at the end of the test.
    forwarded.on('error', () => response.destroy());
    request.pipe(forwarded);
  });
  const { url, close } = await listen(server, { port: 0, host: '127.0.0.1' });
  return {
    url,
    counts: () => ({ refusedCount, requestCount }),
    close: async () => {
      server.closeAllConnections();
      await close();
    },
  };
}

it('a thousand markets fit the venue’s limits from one address: all books live, nothing refused', async () => {
  const sim = await startVenueSim({ seed: 'many', strikesPerAsset: 244, isTimerOn: false });
  const limiter = await startLimiter(sim.url);
  const client = new HttpVenueClient({ url: limiter.url, timeoutMs: 30_000, budget: new RequestBudget(limits) });
  const clock = { nowMs: () => sim.venue.nowMs, close: () => undefined };
  const reference = new HttpReferenceFeeds({ url: sim.url, clock });
  const watch = new MarketWatch({
    client,
    marketSocketUrl: `${sim.wsUrl}/ws/market`,
    clock,
    reference,
  });
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<HttpVenueClient['cataloguePage']>> = await client.cataloguePage({
      limit: 100,
      closed: false,
      ...(cursor === null ? {} : { cursor }),
    });
    for (const market of page.markets)
      watch.watch(market, plainOverlayOf(market.conditionId ?? '', observedStatusOf(market)));
    cursor = page.nextCursor;
  } while (cursor !== null);
  const health = await eventually(
    () => watch.health(),
    ({ staleMarketCount, socketState }) => staleMarketCount === 0 && socketState === 'open',
  );
  expect(health.marketCount).toBeGreaterThanOrEqual(1_000);
  expect(health.staleTickers).toEqual([]);
  expect(limiter.counts().refusedCount).toBe(0);
  watch.close();
  reference.close();
  await limiter.close();
  await sim.close();
});
