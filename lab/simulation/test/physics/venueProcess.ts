import { installEdge } from '../../src/runtime/installEdge.ts';
import type { Physics } from '../../src/world/physics.ts';

const limitMs = 60_000;
const physics: Physics = JSON.parse(process.argv[2] ?? '');
const edge = installEdge({ seed: 1, startMs: Date.parse('2026-11-26T18:05:00Z') });

// Loaded behind the edge: modules keep what they find.
const { createLogger } = await import('@core/runtime');
const { startVenueSim } = await import('@core/venue-sim');
const { VenueControl } = await import('@core/venue-sim/control');
const { addVenueDelay, isListedIn, kindOf, marketKinds, setMarkets } = await import('../../src/world/markets.ts');
const { Programs } = await import('../../src/world/programs.ts');
const { setClocksApart } = await import('../../src/faults/setClocksApart.ts');
const logger = createLogger({ name: 'venue', level: 'silent' });
edge.seal();

/** Read a venue of a world as its clients do, and the clocks of its programs. */
async function observed() {
  const programs = new Programs(edge);
  addVenueDelay(edge, physics);
  const venue = await programs.start('venue', () => startVenueSim({ isListed: isListedIn(marketKinds), logger }));
  await programs.start('client', () => setMarkets({ venue, control: new VenueControl(venue.url) }, physics));
  const markets: unknown[] = [];
  for (const { market } of venue.venue.markets.listed) {
    const nowMs = Date.now();
    markets.push({
      kind: kindOf(market.definition),
      bookTick: market.summaryOf(0).tick_size,
      spreadPips: Number((market.bestAskPips(0) ?? 0n) - (market.bestBidPips(0) ?? 0n)),
      midPips: Number(market.midPips() ?? 0n),
      takerMs: market.effects.takerDelayMsAt(nowMs),
      settleMs: market.effects.settleDelayMsAt(nowMs),
    });
  }
  const beginMs = performance.now();
  await programs.start('reader', async () => (await fetch(`${venue.url}/time`)).text());
  const answerMs = performance.now() - beginMs;
  const lines: string[] = [];
  const random = edge.random('clocks apart');
  setClocksApart(programs, { apartMs: physics.clocksApartMs, random, say: (line) => lines.push(line) });
  const offsets = programs.names.map((name) => programs.named(name).clockOffsetMs);
  return { markets, answerMs, offsets, lines };
}

const result = await edge.scheduler.settle('venue', observed, limitMs);
process.stdout.write(JSON.stringify(result), () => process.exit());
