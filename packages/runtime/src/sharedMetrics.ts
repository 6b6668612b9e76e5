import { collectDefaultMetrics, Gauge, Histogram, type Registry } from 'prom-client';
import { watchBatchSizes } from './nodeSizes.ts';
import { watchRpcCalls } from './rpcCalls.ts';

/** Connections of a database pool now, and the last state of the database and of Redis. */
export interface PoolState {
  readonly openCount: number;
  readonly idleCount: number;
  /** Queries that wait for a connection. */
  readonly waitingCount: number;
  /** Null before the first probe. */
  readonly database: 'unreachable' | 'unwritable' | 'ok' | null;
  /** Null before the first attempt to connect, and without a Redis. */
  readonly isRedisReachable: boolean | null;
}

/** One request to another service, once it has ended. */
export interface EndedRequest {
  readonly endpoint: string;
  /** `ok`, or the code of the failure. */
  readonly outcome: string;
  readonly durationMs: number;
}

/** One signature, once it was made or has failed. */
export interface EndedSignature {
  readonly isSigned: boolean;
  readonly durationMs: number;
}

/** Receivers of what a program measures itself. */
export interface SharedMetrics {
  readonly onVenueRequest: (request: EndedRequest) => void;
  readonly onSignature: (signature: EndedSignature) => void;
  /** Register the figures of the database pool, which are read at each scrape. */
  readonly watchPool: (read: () => PoolState) => void;
}

/** Register the metrics of every process: its own, its clock, and its calls to nodes. */
export function watchProcess(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
  watchRpcCalls(registry);
  watchBatchSizes(registry);
  const clock: Gauge = new Gauge({
    name: 'clock_seconds',
    help: 'Clock of the machine, in Unix seconds: Prometheus compares it with its own.',
    registers: [registry],
    collect: () => clock.set(Date.now() / 1_000),
  });
}

/** Register the metrics of a process that asks the venue and signs: `watchProcess`, requests and signatures. */
export function sharedMetrics(registry: Registry): SharedMetrics {
  watchProcess(registry);
  const registers = [registry];
  const requests = new Histogram({
    name: 'venue_request_seconds',
    help: 'Duration of requests to the venue, by group of endpoints and by outcome: ok, or the code of the failure.',
    labelNames: ['endpoint', 'outcome'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  });
  const signatures = new Histogram({
    name: 'signing_seconds',
    help: 'Duration of signatures by the key of the program, by outcome: ok or failed.',
    labelNames: ['outcome'],
    buckets: [0.0005, 0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 3],
    registers,
  });
  return {
    onVenueRequest: ({ endpoint, outcome, durationMs }) => requests.observe({ endpoint, outcome }, durationMs / 1_000),
    onSignature: ({ isSigned, durationMs }) =>
      signatures.observe({ outcome: isSigned ? 'ok' : 'failed' }, durationMs / 1_000),
    watchPool: (read) => watchPool(registers, read),
  };
}

function watchPool(registers: Registry[], read: () => PoolState): void {
  const connections: Gauge<'state'> = new Gauge({
    name: 'database_connections',
    help: 'Connections of the database pool, by state: idle or busy.',
    labelNames: ['state'],
    registers,
    collect: () => {
      const { openCount, idleCount } = read();
      connections.set({ state: 'idle' }, idleCount);
      connections.set({ state: 'busy' }, openCount - idleCount);
    },
  });
  const waiting: Gauge = new Gauge({
    name: 'database_waiting_queries',
    help: 'Queries that wait for a connection of the database pool.',
    registers,
    collect: () => waiting.set(read().waitingCount),
  });
  const showState = (name: string, help: string, isTrue: () => boolean | null): void => {
    // No number while the state is unknown.
    const gauge: Gauge = new Gauge({ name, help, registers, collect: () => gauge.set(Number(isTrue() ?? Number.NaN)) });
  };
  showState('database_reachable', '1 while the database serves this program; 0: it is away or refuses it.', () => {
    const { database } = read();
    return database === null ? null : database !== 'unreachable';
  });
  showState('database_writable', '1 while the database takes writes; 0: its disk is full, or it is a standby.', () => {
    const { database } = read();
    return database === null || database === 'unreachable' ? null : database === 'ok';
  });
  showState(
    'redis_reachable',
    '1 while Redis answers; 0: limits and events take the database, more slowly.',
    () => read().isRedisReachable,
  );
}
