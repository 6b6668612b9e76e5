import { DebtIndex } from '@core/keeper';
import { basePath } from '@core/wire';
import { fillTables, fullWalletCount } from '../http/fullTables.ts';
import { applyLoad, quantileOf } from '../http/loadClient.ts';
import { startServer } from '../http/serverProcess.ts';
import { issueTokens, requestBytes, roundRobin, startWorld } from '../http/world.ts';

// Usage: pnpm --filter @core/bench measure:growth. Measures how cost grows with the number of positions, from a
// thousand to a million: a price tick, and pages of the lists.
const positionCounts = [1_000, 10_000, 100_000, 1_000_000] as const;
const pages = [
  { name: 'open positions', path: '/positions?limit=25&state=active' },
  { name: 'finished positions', path: '/positions?limit=25&state=inactive' },
  { name: 'live markets', path: '/markets?limit=25' },
  { name: 'finalized markets', path: '/markets?limit=25&status=finalized' },
] as const;
const tickCount = 200_000;
const tokenId = '1';

/** Return nanoseconds of one tick that makes none of the positions due, all of them on its token. */
function tickNs(positionCount: number): number {
  const index = new DebtIndex();
  for (let position = 0; position < positionCount; position += 1) {
    // In the order of the index, from 0.60 down to 0.10: only the query is measured.
    const dueAtOrBelow = 6_000n - BigInt(Math.floor((5_000 * position) / positionCount));
    index.put({ positionKey: `0x${position}`, tokenId, dueAtOrBelow });
  }
  let foundCount = 0;
  const ticks = (count: number): void => {
    for (let tick = 0; tick < count; tick += 1)
      foundCount += index.dueAt(tokenId, 6_001n + BigInt(tick & 1_023)).length;
  };
  ticks(tickCount / 10);
  const startMs = performance.now();
  ticks(tickCount);
  const spentMs = performance.now() - startMs;
  if (foundCount !== 0) throw new Error('none of them is due');
  return (spentMs * 1_000_000) / tickCount;
}

/** Return the p50 of each page in milliseconds: one request after the other, each of another wallet. */
async function pageMs(positionCount: number): Promise<readonly number[]> {
  const world = await startWorld();
  await fillTables(world, {
    finalizedMarkets: positionCount / 10,
    openPositions: positionCount / 10,
    finishedPositions: positionCount,
  });
  const server = await startServer('service', world.setup);
  try {
    const tokens = await issueTokens(server, world, fullWalletCount);
    const measured: number[] = [];
    for (const { path } of pages) {
      const requests = tokens.map((token) =>
        requestBytes({ method: 'GET', path: `${basePath}${path}`, headers: { authorization: `Bearer ${token}` } }),
      );
      const shape = { connectionCount: 1, durationMs: 3_000, ratePerSecond: null };
      const { servedLatenciesMs, statuses } = await applyLoad(
        { port: server.port, requestOf: roundRobin(requests) },
        shape,
      );
      if (statuses.size !== 1 || !statuses.has(200)) throw new Error(`${path} answered ${[...statuses.keys()]}`);
      measured.push(quantileOf(servedLatenciesMs, 0.5));
    }
    return measured;
  } finally {
    await server.close();
    await world.close();
  }
}

const note = (text: string): void => void process.stdout.write(`${text}\n`);

const rows: { readonly positionCount: number; readonly ns: number; readonly ms: readonly number[] }[] = [];
for (const positionCount of positionCounts) {
  rows.push({ positionCount, ns: tickNs(positionCount), ms: await pageMs(positionCount) });
}
note(`| finished positions | a tick | ${pages.map(({ name }) => `page of ${name}`).join(' | ')} |`);
note(`|---${'|---'.repeat(pages.length + 1)}|`);
for (const { positionCount, ns, ms } of rows) {
  const cells = [`${Math.round(ns)} ns`, ...ms.map((one) => `${one.toFixed(2)} ms`)];
  note(`| ${positionCount.toLocaleString('en')} | ${cells.join(' | ')} |`);
}
note('');
note('```mermaid');
note('xychart-beta');
note('  title "Time of a page, p50 in ms, by finished positions"');
note(`  x-axis [${positionCounts.map((count) => `"${count.toLocaleString('en')}"`).join(', ')}]`);
note('  y-axis "ms"');
for (const page of pages.keys()) note(`  line [${rows.map(({ ms }) => (ms[page] ?? 0).toFixed(2)).join(', ')}]`);
note('```');
note('');
note(`Lines, in their order: ${pages.map(({ name }) => name).join(', ')}.`);
