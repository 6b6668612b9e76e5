import { describe, expect, it } from 'vitest';
import { startVenueSim } from '../src/startVenueSim.ts';
import { movableClock } from '../src/venue/simClock.ts';

const openedMs = Date.UTC(2026, 6, 1, 15, 7, 13);

/** Run a venue on a clock driven by the test, one slice at a time or in larger steps; return everything observable. */
async function observationOf(seed: string, largeStrideMs?: number): Promise<string> {
  const clock = movableClock(() => openedMs);
  const sim = await startVenueSim({ seed, clock, isTimerOn: false });
  const seconds = 20;
  const strideMs = largeStrideMs ?? 1000 / sim.venue.options.slicesPerSecond;
  for (let passedMs = 0; passedMs < seconds * 1000; passedMs += strideMs) {
    clock.advance(strideMs);
    sim.venue.tickSlice();
  }
  const { venue } = sim;
  const books = venue.markets.listed.map(({ market }) => [market.slug, market.summaryOf(0).hash, market.stage]);
  const games = [...venue.fixtures()].map(({ slug, model }) => [slug, model.score, model.winProbability()]);
  const spots = (['BTC', 'ETH', 'SOL', 'XRP'] as const).map((symbol) => venue.spot.printedPrice(symbol));
  await sim.close();
  return JSON.stringify({ books, games, spots });
}

describe('one seed', () => {
  it('gives the same venue twice, to the last hash of every book', async () => {
    expect(await observationOf('42')).toBe(await observationOf('42'));
  });

  it('another seed gives another venue', async () => {
    expect(await observationOf('42')).not.toBe(await observationOf('43'));
  });

  it('advances the worlds equally in small and in large steps', async () => {
    const worldOf = (text: string): unknown => {
      const { games, spots } = JSON.parse(text);
      return { games, spots };
    };
    expect(worldOf(await observationOf('42'))).toEqual(worldOf(await observationOf('42', 10_000)));
  });
});
