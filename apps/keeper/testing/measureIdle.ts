import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { samplePosition } from '@core/position/testing';
import type { MarketRecord } from '@core/store';
import { Client } from 'pg';
import { exitOf, startTestStack, type TestStack } from './startTestStack.ts';

// Usage: pnpm --filter @core/keeper measure:idle [markets 10000] [positions 10000] [seconds 20]
// What a keeper's process costs, in shares of one core, before and after finished markets and idle positions are there.
const [marketCount = 10_000, positionCount = 10_000, seconds = 20] = process.argv.slice(2).map(Number);
/** A process that starts reads everything once. */
const settleMs = 15_000;
const ticksPerSecond = 100;

/** Seconds of processor that a process has used. */
async function cpuSecondsOf(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

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

async function fill(stack: TestStack, client: Client, market: MarketRecord): Promise<void> {
  await client.query(
    `INSERT INTO markets SELECT (jsonb_populate_record(m, jsonb_build_object('id', 'mkt_f' || n,
       'ticker', 'finished-' || n, 'venue_market_id', 'finished-' || n, 'status', 'finalized',
       'payout_denominator', '1', 'payout_numerators', '{1,0}'::text[],
       'yes_token_id', n || '1', 'no_token_id', n || '2'))).*
     FROM markets AS m, generate_series(1, $2::integer) AS n WHERE m.id = $1`,
    [market.id, marketCount],
  );
  const position = samplePosition(1, {
    marketId: market.id,
    venueMarketId: market.venueMarketId,
    venueTokenId: market.yesTokenId,
    status: 'open',
    chainState: 'open',
  });
  await stack.store.positions.put({ position, transactions: [], unwinds: [], partialCloses: [] });
  // A debt of a cent per token: followed, and never due in a market worth a quarter or more.
  await client.query(
    `INSERT INTO positions SELECT (jsonb_populate_record(p, jsonb_build_object('id', 'pos_i' || n,
       'position_key', '0xab' || lpad(to_hex(n), 62, '0'), 'principal_usdc_units', p.token_units / 100))).*
     FROM positions AS p, generate_series(1, $2::integer) AS n WHERE p.id = $1`,
    [position.id, positionCount],
  );
  await stack.store.positions.remove(position.positionKey);
  await client.query('ANALYZE');
}

const stack = await startTestStack();
const client = new Client({ connectionString: stack.databaseUrl });
await client.connect();
try {
  const first = stack.spawnKeeper();
  const market = await stack.tradableMarket();
  first.kill('SIGTERM');
  await exitOf(first);
  await measured(stack, client, 'what trades alone');
  await fill(stack, client, market);
  await measured(stack, client, `with ${marketCount} finished markets and ${positionCount} idle positions`);
} finally {
  await client.end();
  await stack.close();
}
