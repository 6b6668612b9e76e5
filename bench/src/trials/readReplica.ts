import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openStore, type Store } from '@core/store';
import { basePath } from '@core/wire';
import { Client } from 'pg';
import { fillTables, fullWalletCount } from '../http/fullTables.ts';
import { startServer } from '../http/serverProcess.ts';
import { issueTokens, startWorld, walletOf } from '../http/world.ts';

// Usage: POSTGRES_BIN=<folder of initdb> pnpm --filter @core/bench measure:replica [rounds 5] [seconds 3].
// Starts a primary and a streaming replica in a temporary folder. Measures how late a commit is visible on the replica,
// and pages of positions a second on primary, replica and both, against a statement that reads no table. Then tries an
// API process on the replica.
const [rounds = '5', seconds = '3'] = process.argv.slice(2);
const bin = process.env['POSTGRES_BIN'];
if (bin === undefined) throw new Error('POSTGRES_BIN has to name the folder of initdb, postgres and pg_basebackup');
const callerCount = 16;
const lagCount = 100;
const sizes = { finalizedMarkets: 1_000, openPositions: 20_000, finishedPositions: 100_000 };

const note = (text: string): void => void process.stdout.write(`${text}\n`);
const quantileOf = (amounts: readonly number[], share: number): number =>
  amounts.toSorted((left, right) => left - right)[Math.floor((amounts.length - 1) * share)] ?? Number.NaN;

const idOf = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
// PostgreSQL refuses to run as root.
const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
const folder = await mkdtemp(path.join(tmpdir(), 'replica-'));
await chmod(folder, 0o777);
const run = (program: string, args: readonly string[]): Buffer =>
  execFileSync(path.join(bin, program), [...args], { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const urlOf = (port: number, database = 'postgres'): string => `postgres://postgres@127.0.0.1:${port}/${database}`;

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}

/** Start a server and wait until it accepts connections. */
async function startPostgres(dataDir: string, port: number): Promise<ChildProcess> {
  const child = spawn(path.join(bin ?? '', 'postgres'), ['-D', dataDir, '-p', String(port), '-k', folder], {
    ...user,
    cwd: folder,
    stdio: 'ignore',
  });
  for (;;) {
    const client = await connect(urlOf(port)).catch(() => null);
    await client?.end();
    if (client !== null) return child;
    if (child.exitCode !== null) throw new Error(`a server ended with ${child.exitCode}`);
    await pause(100);
  }
}

/** Return the times from a commit on the primary until the replica shows it, in milliseconds. */
async function lagsOf(primary: Client, replica: Client): Promise<readonly number[]> {
  await primary.query('CREATE TABLE lag (number int)');
  const lags: number[] = [];
  for (let number = 0; number < lagCount; number += 1) {
    await primary.query('INSERT INTO lag VALUES ($1)', [number]);
    const committedMs = performance.now();
    for (;;) {
      const { rows } = await replica
        .query<{ count: string }>('SELECT count(*) FROM lag')
        .catch(() => ({ rows: [{ count: '0' }] }));
      if (Number(rows[0]?.count) > number) break;
    }
    lags.push(performance.now() - committedMs);
  }
  return lags;
}

/** Return calls a second of several callers without pauses. */
async function rateOf(call: (index: number) => Promise<unknown>): Promise<number> {
  const [startMs, endMs] = [performance.now(), performance.now() + Number(seconds) * 1_000];
  let count = 0;
  const repeat = async (): Promise<void> => {
    while (performance.now() < endMs) {
      count += 1;
      await call(count);
    }
  };
  await Promise.all(Array.from({ length: callerCount }, repeat));
  return (count * 1_000) / (performance.now() - startMs);
}

const [primaryPort, replicaPort] = [await freePort(), await freePort()];
const [primaryDir, replicaDir] = [path.join(folder, 'primary'), path.join(folder, 'replica')];
run('initdb', [`--pgdata=${primaryDir}`, '--auth=trust', '--username=postgres', '--encoding=UTF8', '--locale=C']);
const servers = [await startPostgres(primaryDir, primaryPort)];
process.env['TEST_DATABASE_URL'] = urlOf(primaryPort);
const world = await startWorld();
const stores: Store[] = [];
try {
  await fillTables(world, sizes);
  run('pg_basebackup', [
    '-h',
    '127.0.0.1',
    '-p',
    String(primaryPort),
    '-U',
    'postgres',
    '-D',
    replicaDir,
    '-R',
    '-c',
    'fast',
  ]);
  servers.push(await startPostgres(replicaDir, replicaPort));
  const replicaUrl = urlOf(replicaPort, new URL(world.databaseUrl).pathname.slice(1));
  const [primary, replica] = [await connect(world.databaseUrl), await connect(replicaUrl)];
  const lags = await lagsOf(primary, replica);
  const [p50, p99] = [quantileOf(lags, 0.5).toFixed(1), quantileOf(lags, 0.99).toFixed(1)];
  note(`a commit shows on the replica after p50 ${p50} ms, p99 ${p99} ms`);
  await Promise.all([primary.end(), replica.end()]);
  await measureReads(replicaUrl);
  await tryService(replicaUrl);
} finally {
  await Promise.all(stores.map((store) => store.close()));
  await world.close();
  for (const server of servers.toReversed()) {
    server.kill('SIGINT');
    if (server.exitCode === null) await once(server, 'exit');
  }
  await rm(folder, { recursive: true, force: true });
}

/** Measure pages of positions on either server and on both, beside a statement without a table. */
async function measureReads(replicaUrl: string): Promise<void> {
  const open = (databaseUrl: string): Store => {
    const store = openStore({ databaseUrl });
    stores.push(store);
    return store;
  };
  const [onPrimary, onReplica] = [open(world.databaseUrl), open(replicaUrl)];
  const pageOf = (store: Store, index: number): Promise<unknown> =>
    store.positions.list({
      partnerId: world.partnerId,
      walletAddress: walletOf(index % fullWalletCount),
      state: 'active',
      sortBy: 'created_at',
      sortDirection: 'desc',
      limit: 25,
      withTotalCount: false,
    });
  const kinds = [
    { name: 'floor: a missing row on the primary', call: () => onPrimary.positions.byKey('none') },
    { name: 'pages on the primary', call: (index: number) => pageOf(onPrimary, index) },
    { name: 'pages on the replica', call: (index: number) => pageOf(onReplica, index) },
    { name: 'pages on both', call: (index: number) => pageOf(index % 2 === 0 ? onPrimary : onReplica, index) },
  ];
  const rates = kinds.map((): number[] => []);
  for (let round = -1; round < Number(rounds); round += 1) {
    for (const [index, { call }] of kinds.entries()) {
      const rate = await rateOf(call);
      if (round >= 0) rates[index]?.push(rate);
    }
  }
  for (const [index, { name }] of kinds.entries())
    note(`${name}: ${quantileOf(rates[index] ?? [], 0.5).toFixed(0)} a second`);
}

/** Start an API process on the replica and ask it for a page, with a token of a process on the primary. */
async function tryService(replicaUrl: string): Promise<void> {
  const writing = await startServer('service', world.setup);
  const [token = ''] = await issueTokens(writing, world, 1);
  try {
    const reading = await startServer('service', { ...world.setup, databaseUrl: replicaUrl });
    const answer = await fetch(`http://127.0.0.1:${reading.port}${basePath}/positions?limit=25&state=active`, {
      headers: { authorization: `Bearer ${token}` },
    });
    note(`an API process on the replica answers a page with ${answer.status}: ${(await answer.text()).slice(0, 160)}`);
    await reading.close();
  } catch (error) {
    note(`an API process on the replica: ${String(error)}`);
  } finally {
    await writing.close();
  }
}
