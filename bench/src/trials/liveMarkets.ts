import { setTimeout as pause } from 'node:timers/promises';
import { fillTables, fullSizes, fullWalletCount } from '../http/fullTables.ts';
import { latenciesOf, listPages, pageRequests } from '../http/listPages.ts';
import type { LiveFigures } from '../http/liveLook.ts';
import { applyLoad, type LoadResult, quantileOf } from '../http/loadClient.ts';
import { startServer } from '../http/serverProcess.ts';
import { issueTokens, openMarkets, roundRobin, startWorld } from '../http/world.ts';

// Usage: pnpm --filter @core/bench measure:live [markets 1000] [seconds 15]. Measures a service with full tables that
// follows live markets, each with a book that changes once a second. Prints the age of its books, alone and beside
// readers of its lists, and the latency of the pages. Simulator, readers and database use the same processors.
const [marketCount = fullSizes.liveMarkets, seconds = 15] = process.argv.slice(2).map(Number);
/** A starting service reads every book once. */
const settleMs = 15_000;
/** A quote needs books younger than this. */
const targetMs = 5_000;
const readersPerSecond = 100;
/** Pages of live markets. */
const loadedPages = listPages.slice(0, 5);

const note = (text: string): void => void process.stdout.write(`${text}\n`);
const secondsText = (ms: number): string => `${(ms / 1_000).toFixed(2)} s`;

const world = await startWorld(marketCount);
await fillTables(world, fullSizes);
const service = await startServer('service', world.setup);

/** Sample the books while other work runs. */
async function look(name: string, meanwhile: () => Promise<LoadResult | null>): Promise<void> {
  const cpuBefore = [await service.cpuMs(), await world.venue.cpuMs()] as const;
  const startedAt = performance.now();
  await service.ask('look');
  const load = await meanwhile();
  const answer = await service.ask('looked');
  const figureOf = (figure: keyof LiveFigures): number => Number(answer[figure]);
  const spentMs = performance.now() - startedAt;
  const shareOf = (usedMs: number): string => `${((100 * usedMs) / spentMs).toFixed(0)} % of a core`;
  const own = shareOf((await service.cpuMs()) - cpuBefore[0]);
  const venues = shareOf((await world.venue.cpuMs()) - cpuBefore[1]);
  const isMet = figureOf('ageP99Ms') <= targetMs && figureOf('missingCount') === 0;
  const ages = [figureOf('ageP50Ms'), figureOf('ageP99Ms'), figureOf('oldestMs')].map(secondsText);
  note(`${name}:`);
  note(
    `  age of ${figureOf('bookCount')} books: p50 ${ages[0]}, p99 ${ages[1]}, oldest ${ages[2]}, ` +
      `${figureOf('missingCount')} missing; p99 at most ${targetMs / 1_000} s: ${isMet ? 'met' : 'missed'}`,
  );
  note(
    `  ${figureOf('ticksPerSecond').toFixed(0)} changes of a book and ${figureOf('readsPerSecond').toFixed(0)} reads ` +
      `over REST a second; loop late by p99 ${figureOf('lagP99Ms').toFixed(0)} ms, ` +
      `at most ${figureOf('lagMaxMs').toFixed(0)} ms`,
  );
  note(`  service ${own}, ${(figureOf('residentBytes') / 2 ** 20).toFixed(0)} MB; simulator ${venues}`);
  if (load === null) return;
  const [p50, p99] = [0.5, 0.99].map((share) => quantileOf(load.latenciesMs, share).toFixed(1));
  const statuses = [...load.statuses].map(([status, count]) => `${count} times ${status}`).join(', ');
  note(`  answers: p50 ${p50} ms, p99 ${p99} ms (${statuses})`);
}

try {
  const tokens = await issueTokens(service, world, fullWalletCount);
  await openMarkets(service, world);
  await pause(settleMs);
  const durationMs = seconds * 1_000;
  await look('alone', async () => {
    await pause(durationMs);
    return null;
  });
  for (const page of loadedPages) {
    const requestOf = roundRobin(pageRequests(page, tokens));
    const shape = { connectionCount: 16, durationMs, ratePerSecond: readersPerSecond };
    await look(`beside ${readersPerSecond} GET ${page} a second`, () =>
      applyLoad({ port: service.port, requestOf }, shape),
    );
  }
  note('one reader, one request after the other:');
  for (const page of listPages) {
    const latenciesMs = await latenciesOf(service, page, tokens);
    const [p50, p99] = [0.5, 0.99].map((share) => quantileOf(latenciesMs, share).toFixed(1));
    note(`  GET ${page}: p50 ${p50} ms, p99 ${p99} ms`);
  }
} finally {
  await service.close();
  await world.close();
}
