import { BookStore, bookAgeMsOf, HttpVenueClient, MarketSocket } from '@core/venue';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startVenueSim, type VenueSim } from '../src/startVenueSim.ts';
import { movableClock, type SimClock } from '../src/venue/simClock.ts';
import { eventually } from '../testing/simHttp.ts';

const startMs = Date.UTC(2026, 0, 1, 12, 20);

/** Venue with a clock and ticks driven by the test, so that a slow machine makes no book stale. */
describe.each([20, 2])('the ticking of markets in %i slices a second', (slicesPerSecond) => {
  let clock: SimClock;
  let sim: VenueSim;
  let tokens: readonly string[];

  beforeAll(async () => {
    clock = movableClock(() => startMs);
    sim = await startVenueSim({ seed: 'ticking', clock, slicesPerSecond, isTimerOn: false });
    tokens = sim.venue.markets.listed
      .filter(({ market }) => market.stage === 'trading')
      .flatMap(({ market }) => market.definition.tokenIds.map(String));
  });

  afterAll(async () => {
    await sim.close();
  });

  const tickSlice = (): void => {
    clock.advance(1_000 / slicesPerSecond);
    sim.venue.tickSlice();
  };

  it('leaves no healthy book older than a second', () => {
    for (let count = 0; count < 3 * slicesPerSecond; count += 1) {
      tickSlice();
      const trading = sim.venue.markets.listed.filter(({ market }) => market.stage === 'trading');
      const oldestMs = Math.max(...trading.map(({ market }) => clock.nowMs() - market.changedMs));
      expect(oldestMs).toBeLessThanOrEqual(1_000);
    }
  });

  it('sends books on the socket that equal those of REST, fresh and never suspect', async () => {
    const client = new HttpVenueClient({ url: sim.url, retry: { maxAttempts: 1 } });
    const store = new BookStore();
    const outcomes = new Set<string>();
    const socket = new MarketSocket({
      url: `${sim.wsUrl}/ws/market`,
      onMessage: (message) => {
        for (const update of store.apply(message, clock.nowMs())) outcomes.add(update.outcome);
      },
    });
    socket.subscribe(tokens);
    await eventually(
      () => tokens.every((tokenId) => store.book(tokenId) !== null),
      (isThere) => isThere,
    );
    for (let count = 0; count < 3 * slicesPerSecond; count += 1) tickSlice();
    const lastSecondMs = clock.nowMs() - 1_000;
    const isFollowed = (tokenId: string) => (store.book(tokenId)?.venueTimestampMs ?? 0) >= lastSecondMs;
    await eventually(
      () => tokens.every(isFollowed),
      (isThere) => isThere,
    );
    expect(outcomes.has('suspect')).toBe(false);
    for (const tokenId of tokens) {
      const ownBook = store.book(tokenId);
      const restBook = await client.book(tokenId);
      expect([ownBook?.bids, ownBook?.asks, ownBook?.venueTimestampMs]).toEqual([
        restBook?.bids,
        restBook?.asks,
        restBook?.timestampMs,
      ]);
      expect(ownBook === null ? null : bookAgeMsOf(ownBook, clock.nowMs())).toBe(0);
    }
    socket.close();
  });
});
