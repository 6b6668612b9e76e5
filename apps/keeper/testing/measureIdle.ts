import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { fillIdle, quietMarket } from './fillIdle.ts';
import { cpuSecondsOf } from './processorTime.ts';
import { exitOf, startTestStack, type TestStack } from './startTestStack.ts';

// Usage: pnpm --filter @core/keeper measure:idle [markets 10000] [positions 10000] [seconds 20].
// Measures a keeper's process in shares of one core, before and after finished markets and idle positions are added.
const [marketCount = 10_000, positionCount = 10_000, seconds = 20] = process.argv.slice(2).map(Number);
/** A process that starts reads everything once. */
const settleMs = 15_000;

/** Rows written so far: they grow with what trades, never with what is finished. */
async function writtenRows(client: Client): Promise<Readonly<Record<string, number>>> {
  const { rows } = await client.query(
    `SELECT relname, n_tup_ins + n_tup_upd AS written FROM pg_stat_user_tables
     WHERE relname IN ('markets', 'positions', 'intents', 'outbox_events')`,
  );
  return Object.fromEntries(rows.map((row) => [row['relname'], Number(row['written'])]));
}

async function measured(stack: TestStack, client: Client, name: string): Promise<void> {
  const keeper = stack.spawnKeeper();
  const { pid } = keeper;
  if (pid === undefined) throw new Error('the keeper did not start');
  await delay(settleMs);
  const before = { cpu: await cpuSecondsOf(pid), rows: await writtenRows(client), atMs: performance.now() };
  await delay(seconds * 1_000);
  const used = (await cpuSecondsOf(pid)) - before.cpu;
  const share = (100_000 * used) / (performance.now() - before.atMs);
  const written = Object.entries(await writtenRows(client)).map(
    ([table, count]) => `${table} ${count - (before.rows[table] ?? 0)}`,
  );
  process.stdout.write(`${name}: ${share.toFixed(1)} % of a core; rows written: ${written.join(', ')}\n`);
  keeper.kill('SIGTERM');
  await exitOf(keeper);
}

const stack = await startTestStack({ isListed: () => true, startPriceOf: null });
const client = new Client({ connectionString: stack.databaseUrl });
await client.connect();
try {
  const market = await quietMarket(stack);
  await measured(stack, client, 'what trades alone');
  await fillIdle({ stack, client, market }, { marketCount, positionCount });
  await measured(stack, client, `with ${marketCount} finished markets and ${positionCount} idle positions`);
} finally {
  await client.end();
  await stack.close();
}
