import { createHmac, randomBytes } from 'node:crypto';
import { basePath } from '@core/wire';
import { Client } from 'pg';
import { backendTimes, spentMs } from '../http/backendCpu.ts';
import { fillTables, fullWalletCount } from '../http/fullTables.ts';
import { applyLoad, type LoadResult } from '../http/loadClient.ts';
import { type ServerProcess, startServer } from '../http/serverProcess.ts';
import {
  issueTokens,
  type OpenMarket,
  openMarkets,
  quoteBodyOf,
  quoteRequestBytes,
  requestBytes,
  startWorld,
  walletOf,
} from '../http/world.ts';

// Usage: pnpm --filter @core/bench measure:processes [rounds 5] [seconds 3] [processes 1,2,4].
// Measures API processes behind one database: quotes and list pages a second over 64 connections in all. Prints the
// processor time of API and database for each request too. The floor has as many processes, in the same rounds.
// TEST_DATABASE_URL and TEST_REDIS_URL name servers to use.
const [rounds = '5', seconds = '3', processes = '1,2,4'] = process.argv.slice(2);
const connectionCount = 64;
const sizes = { finalizedMarkets: 1_000, openPositions: 20_000, finishedPositions: 100_000 };
const listPath = '/positions?limit=25&state=active';

const note = (text: string): void => void process.stdout.write(`${text}\n`);
const medianOf = (amounts: readonly number[]): number =>
  amounts.toSorted((left, right) => left - right)[Math.floor((amounts.length - 1) / 2)] ?? Number.NaN;

/** A kind of request to several processes at once. */
interface Contestant {
  readonly name: string;
  readonly servers: readonly ServerProcess[];
  readonly requestOf: (index: number) => Buffer;
}

interface Figures {
  readonly perSecond: number;
  /** Processor time of a request in milliseconds: of the processes together, and of the database. */
  readonly ownMs: number;
  readonly databaseMs: number;
}

const world = await startWorld();
await fillTables(world, sizes);
const client = new Client({ connectionString: world.databaseUrl });
await client.connect();
const first = await startServer('service', world.setup);
const tokens = await issueTokens(first, world, fullWalletCount);
let open: readonly OpenMarket[] = await openMarkets(first, world);
const look = async (): Promise<void> => {
  open = await openMarkets(first, world);
};
// Markets are listed again during the load: prices move. A listing in progress fails at the end, without effect.
const listing = setInterval(() => void look().catch(() => undefined), 5_000);
const secret = randomBytes(32).toString('hex');

const marketOf = (index: number): OpenMarket => {
  const market = open[(index * 7) % open.length];
  if (market === undefined) throw new Error('no market is open');
  return market;
};
const bearerOf = (token: string): Readonly<Record<string, string>> => ({ authorization: `Bearer ${token}` });
const tokenOf = (index: number): string => tokens[index % tokens.length] ?? '';
const macs = tokens.map((_, index) => createHmac('sha256', secret).update(walletOf(index)).digest('hex'));
const plainTokenOf = (index: number): string => `${walletOf(index % macs.length)}.${macs[index % macs.length] ?? ''}`;

const cpuMsOf = async (servers: readonly ServerProcess[]): Promise<number> =>
  (await Promise.all(servers.map((server) => server.cpuMs()))).reduce((sum, ms) => sum + ms, 0);

/** Load all processes at once, each with its part of the connections. @throws Error when a tenth is refused. */
async function measure({ name, servers, requestOf }: Contestant): Promise<Figures> {
  const shape = {
    connectionCount: connectionCount / servers.length,
    durationMs: Number(seconds) * 1_000,
    ratePerSecond: null,
  };
  const before = [await cpuMsOf(servers), await backendTimes(client)] as const;
  const results = await Promise.all(
    servers.map(({ port }, server) =>
      applyLoad({ port, requestOf: (index) => requestOf(index * servers.length + server) }, shape),
    ),
  );
  const after = [await cpuMsOf(servers), await backendTimes(client)] as const;
  const countOf = (one: (result: LoadResult) => number): number => results.reduce((sum, each) => sum + one(each), 0);
  const answeredCount = countOf((result) => result.answeredCount);
  const servedCount = countOf((result) => result.servedLatenciesMs.length);
  if (servedCount < answeredCount * 0.9) {
    throw new Error(`${name} refused: ${results.flatMap(({ refusals }) => [...refusals.values()]).join('; ')}`);
  }
  return {
    perSecond: countOf((result) => (result.servedLatenciesMs.length * 1_000) / result.durationMs),
    ownMs: (after[0] - before[0]) / answeredCount,
    databaseMs: spentMs(before[1], after[1]) / answeredCount,
  };
}

const plainList = async (): Promise<string> =>
  (await fetch(`http://127.0.0.1:${first.port}${basePath}${listPath}`, { headers: bearerOf(tokenOf(0)) })).text();

async function quoteLength(): Promise<number> {
  const sample = await fetch(`http://127.0.0.1:${first.port}${basePath}/quotes`, {
    method: 'POST',
    headers: { ...bearerOf(tokenOf(0)), 'content-type': 'application/json' },
    body: JSON.stringify(quoteBodyOf(marketOf(0))),
  });
  if (sample.status !== 201) throw new Error(`no sample quote: ${await sample.text()}`);
  return (await sample.text()).length;
}

const floorSetup = {
  ...world.setup,
  secret,
  partnerId: world.partnerId,
  quoteLength: (await quoteLength()) - 160,
  positions: await plainList(),
};

/** Measure all contestants of a number of processes in interleaved rounds and print the medians. */
async function measureCount(services: readonly ServerProcess[], floors: readonly ServerProcess[]): Promise<void> {
  const contestants: readonly Contestant[] = [
    {
      name: 'POST /quotes',
      servers: services,
      requestOf: (index) => quoteRequestBytes(tokenOf(index), marketOf(index)),
    },
    {
      name: 'its floor',
      servers: floors,
      requestOf: (index) =>
        requestBytes({
          method: 'POST',
          path: '/quotes',
          headers: bearerOf(plainTokenOf(index)),
          body: quoteBodyOf(marketOf(index)),
        }),
    },
    {
      name: `GET ${listPath}`,
      servers: services,
      requestOf: (index) =>
        requestBytes({ method: 'GET', path: `${basePath}${listPath}`, headers: bearerOf(tokenOf(index)) }),
    },
    {
      name: 'its floor',
      servers: floors,
      requestOf: (index) => requestBytes({ method: 'GET', path: '/positions', headers: bearerOf(plainTokenOf(index)) }),
    },
  ];
  const figures = contestants.map((): Figures[] => []);
  for (let round = -1; round < Number(rounds); round += 1) {
    for (const [index, contestant] of contestants.entries()) {
      const measured = await measure(contestant);
      // The first round warms up.
      if (round >= 0) figures[index]?.push(measured);
    }
  }
  note(`${services.length} processes, medians of ${rounds} rounds:`);
  for (const [index, { name }] of contestants.entries()) {
    const all = figures[index] ?? [];
    const [rate, ownMs, databaseMs] = [
      medianOf(all.map(({ perSecond }) => perSecond)),
      medianOf(all.map((one) => one.ownMs)),
      medianOf(all.map((one) => one.databaseMs)),
    ];
    note(
      `  ${name}: ${rate.toFixed(0)} a second; processor of a request: ` +
        `${ownMs.toFixed(2)} ms in the processes, ${databaseMs.toFixed(2)} ms in the database`,
    );
  }
}

const services = [first];
const floors: ServerProcess[] = [];
try {
  for (const count of processes.split(',').map(Number)) {
    while (services.length < count) services.push(await startServer('service', world.setup));
    while (floors.length < count) floors.push(await startServer('floor', floorSetup));
    for (const service of services) await openMarkets(service, world);
    const { rows } = await client.query<{ count: string }>(
      'SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()',
    );
    note(`${rows[0]?.count} connections of the database beside ${count} processes`);
    await measureCount(services, floors);
  }
} finally {
  clearInterval(listing);
  await client.end();
  await Promise.all([...services, ...floors].map((server) => server.close()));
  await world.close();
}
