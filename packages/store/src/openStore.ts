import type { PoolState } from '@core/runtime';
import { PrismaPg } from '@prisma/adapter-pg';
import type { Broadcast, Subscription } from './database/broadcast.ts';
import { databaseProbeOf } from './database/databaseProbe.ts';
import { holdersOfTables, type LockHolder } from './database/lockHolders.ts';
import { postgresBroadcast } from './database/postgresBroadcast.ts';
import { redisBroadcast } from './database/redisBroadcast.ts';
import { RedisConnection } from './database/redisConnection.ts';
import {
  attempt,
  createPool,
  limitLockWaits,
  noticing,
  readAtOnce,
  type Sql,
  sqlOfPool,
  transact,
} from './database/sql.ts';
import { PrismaClient } from './generated/prisma/client.ts';
import { type ChainStore, chainReads } from './keeper/chainReads.ts';
import { createChain } from './keeper/createChain.ts';
import type { ExitStore } from './keeper/createExits.ts';
import { createExits } from './keeper/createExits.ts';
import type { HeartbeatStore } from './keeper/createHeartbeats.ts';
import { createHeartbeats } from './keeper/createHeartbeats.ts';
import type { IntentStore } from './keeper/createIntents.ts';
import { createIntents } from './keeper/createIntents.ts';
import type { LockStore } from './keeper/createLocks.ts';
import { createLocks } from './keeper/createLocks.ts';
import { createSteps, type StepStore } from './keeper/createSteps.ts';
import type { MarketStore } from './market/createMarkets.ts';
import { createMarkets } from './market/createMarkets.ts';
import type { OracleStore } from './market/createOracles.ts';
import { createOracles } from './market/createOracles.ts';
import type { OutboxStore } from './outbox/createOutbox.ts';
import { append, createOutbox } from './outbox/createOutbox.ts';
import type { ApiKeyStore } from './partner/createApiKeys.ts';
import { createApiKeys } from './partner/createApiKeys.ts';
import type { PartnerStore } from './partner/createPartners.ts';
import { createPartners } from './partner/createPartners.ts';
import { createPositions, type PositionStore } from './position/createPositions.ts';
import { positionReads } from './position/positionReads.ts';
import type { AdmissionStore } from './quote/createAdmission.ts';
import { createAdmission } from './quote/createAdmission.ts';
import type { DraftStore } from './quote/createDrafts.ts';
import { createDrafts } from './quote/createDrafts.ts';
import type { QuoteStore } from './quote/createQuotes.ts';
import { createQuotes } from './quote/createQuotes.ts';
import type { UsageStore } from './quote/createUsage.ts';
import { createUsage } from './quote/createUsage.ts';
import type { BindingStore } from './service/createBinding.ts';
import { createBinding } from './service/createBinding.ts';
import type { IdempotencyStore } from './service/createIdempotency.ts';
import { createIdempotency } from './service/createIdempotency.ts';
import { createLimits } from './service/createLimits.ts';
import { createRedisLimits } from './service/createRedisLimits.ts';
import type { SharingStore } from './service/createSharing.ts';
import { createSharing } from './service/createSharing.ts';
import type { LimitStore } from './service/limits.ts';
import { RefusedSubjects } from './service/refusedSubjects.ts';

/** The aggregates that may change together in one transaction. */
export interface StoreTransaction {
  readonly admission: AdmissionStore;
  readonly markets: MarketStore;
  readonly oracles: OracleStore;
  readonly drafts: DraftStore;
  readonly quotes: QuoteStore;
  readonly usage: UsageStore;
  readonly positions: ReturnType<typeof createPositions>;
  readonly outbox: Omit<OutboxStore, 'subscribe'>;
  readonly intents: IntentStore;
  readonly steps: StepStore;
  readonly chain: ReturnType<typeof createChain>;
  /** Run a part of the transaction. When it fails, undo that part alone and throw its failure. */
  attempt<Result>(part: () => Promise<Result>): Promise<Result>;
  /** Let each later statement of the transaction wait for locks for at most so long. */
  limitLockWaits(limitMs: number): Promise<void>;
}

/** Short messages to every process of the service that listens now; nothing is kept. */
export interface SignalStore {
  publish(message: string): Promise<void>;
  subscribe(onMessage: (message: string) => void): Promise<Subscription>;
}

export interface Store extends Omit<StoreTransaction, 'outbox' | 'attempt' | 'limitLockWaits'> {
  readonly positions: PositionStore;
  readonly chain: ChainStore;
  readonly outbox: OutboxStore;
  readonly binding: BindingStore;
  readonly sharing: SharingStore;
  readonly partners: PartnerStore;
  readonly apiKeys: ApiKeyStore;
  readonly idempotency: IdempotencyStore;
  readonly limits: LimitStore;
  readonly locks: LockStore;
  readonly heartbeats: HeartbeatStore;
  readonly exits: ExitStore;
  readonly signals: SignalStore;
  /** Run `work` in one database transaction: all of it or nothing. */
  transaction<Result>(work: (unit: StoreTransaction) => Promise<Result>): Promise<Result>;
  /** Run reads that all see the database as it was at one moment. */
  readAtOnce<Result>(work: (unit: StoreTransaction) => Promise<Result>): Promise<Result>;
  /** Return the time of the database's own clock. */
  clockMs(): Promise<number>;
  /** Return the connections of this process now, and the state of database and Redis. */
  connections(): PoolState;
  /** Write a row with this time and a temporary file: a database may answer and take no writes, or its disk be full. */
  probeWrite(nowMs: number): Promise<void>;
  /** Return true when Redis answers now; false without one. */
  answersRedis(): Promise<boolean>;
  /** Return the sessions that have kept statements from a table for two seconds; waits for no table. */
  lockHolders(): Promise<readonly LockHolder[]>;
  close(): Promise<void>;
}

export interface StoreConfig {
  readonly databaseUrl: string;
  readonly maxConnections?: number;
  /** Counts limits and carries messages for all processes that name it; PostgreSQL does both when left out. */
  readonly redisUrl?: string | undefined;
  /** Chain and vault of the service: several may share a Redis, also with databases of the same name. */
  readonly deployment?: { readonly chainId: number; readonly vault: string } | undefined;
  /** Hears of each time Redis does not answer: PostgreSQL counts limits, and events are polled, meanwhile. */
  readonly onRedisFault?: (cause: unknown) => void;
}

const ignored = (): void => undefined;

/** Beginning of every name in Redis: of the service and of its database, the same in all of its processes. */
function redisPrefixOf(databaseUrl: string, deployment: StoreConfig['deployment']): string {
  const database = new URL(databaseUrl).pathname.slice(1);
  if (deployment === undefined) return database;
  return `${deployment.chainId}:${deployment.vault.toLowerCase()}:${database}`;
}

/** The store of one process: a pool of connections and an aggregate for each kind of thing. Opens lazily. */
export function openStore(config: StoreConfig): Store {
  const { databaseUrl, maxConnections, redisUrl, deployment, onRedisFault = ignored } = config;
  const size = maxConnections === undefined ? {} : { maxConnections };
  const pool = createPool({ databaseUrl, ...size, wakesElsewhere: redisUrl !== undefined });
  const sql = sqlOfPool(pool);
  // Connects when locks are read: every other connection may wait for one.
  const lockReader = createPool({ databaseUrl, maxConnections: 1 });
  const prefix = redisPrefixOf(databaseUrl, deployment);
  const redis = redisUrl === undefined ? null : new RedisConnection({ redisUrl, onFault: onRedisFault });
  const broadcast = redis === null ? postgresBroadcast(databaseUrl, sql) : redisBroadcast(redis, prefix);
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool), errorFormat: 'minimal' });
  const inTransaction = async <Result>(work: (unit: Sql) => Promise<Result>): Promise<Result> => {
    let hasAppended = false;
    const result = await transact(pool, (unit) => {
      hasAppended = false;
      return work(noticing(unit, append, () => (hasAppended = true)));
    });
    // The database wakes its own listeners at the commit. What has committed waits for no one who is to hear of it, and
    // a message that is lost is made up for by the readers' polls.
    if (hasAppended && redis !== null) broadcast.publish('outbox', '').catch(() => undefined);
    return result;
  };
  const refusedSubjects = new RefusedSubjects();
  const transactionOf = (unit: Sql): StoreTransaction => ({
    ...aggregatesOf(unit, refusedSubjects),
    attempt: (part) => attempt(unit, part),
    limitLockWaits: (limitMs) => limitLockWaits(unit, limitMs),
  });
  const aggregates = aggregatesOf(sql, refusedSubjects);
  const ownLimits = createLimits(sql, refusedSubjects);
  const locks = createLocks(prisma, databaseUrl);
  const probe = databaseProbeOf(pool);
  return {
    ...aggregates,
    ...wholeChangesOf(aggregates, { inTransaction, broadcast, prisma }),
    binding: createBinding(prisma, databaseUrl),
    sharing: createSharing(prisma),
    partners: createPartners(prisma, sql),
    apiKeys: createApiKeys(prisma, sql),
    idempotency: createIdempotency(prisma, sql),
    limits:
      redis === null
        ? ownLimits
        : createRedisLimits({ connection: redis, prefix, refused: refusedSubjects, fallback: ownLimits }),
    locks,
    heartbeats: createHeartbeats(prisma),
    exits: createExits(prisma, sql),
    signals: signalsOf(broadcast),
    transaction: (work) => inTransaction((unit) => work(transactionOf(unit))),
    readAtOnce: (work) => readAtOnce(pool, (unit) => work(transactionOf(unit))),
    async clockMs() {
      const text = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS "nowMs"';
      const row = await sql.row<{ nowMs: bigint }>({ name: 'clock', text });
      return Number(row?.nowMs);
    },
    connections: () => ({
      openCount: pool.totalCount,
      idleCount: pool.idleCount,
      waitingCount: pool.waitingCount,
      database: probe.health(),
      isRedisReachable: redis?.isReachable ?? null,
    }),
    probeWrite: probe.write,
    answersRedis: () => answersNow(redis),
    lockHolders: () => holdersOfTables(sqlOfPool(lockReader)),
    async close() {
      await Promise.all([redis?.close(), locks.close()]);
      await prisma.$disconnect();
      await Promise.all([pool.end(), lockReader.end()]);
    },
  };
}

async function answersNow(redis: RedisConnection | null): Promise<boolean> {
  await redis?.attempted;
  return redis?.isReachable === true;
}

interface WholeChanges {
  readonly inTransaction: <Result>(work: (unit: Sql) => Promise<Result>) => Promise<Result>;
  readonly broadcast: Broadcast;
  readonly prisma: PrismaClient;
}

/** Aggregates whose changes write several rows, each change in a transaction of its own: all of it or nothing. */
function wholeChangesOf(
  aggregates: ReturnType<typeof aggregatesOf>,
  { inTransaction, broadcast, prisma }: WholeChanges,
): Pick<Store, 'markets' | 'oracles' | 'positions' | 'outbox' | 'chain'> {
  return {
    markets: {
      ...aggregates.markets,
      // Rows and their events commit together.
      sync: (listed, nowMs) => inTransaction((unit) => createMarkets(unit).sync(listed, nowMs)),
      moveStatus: (id, status, nowMs) => inTransaction((unit) => createMarkets(unit).moveStatus(id, status, nowMs)),
      announceUnresolved: (id, nowMs) => inTransaction((unit) => createMarkets(unit).announceUnresolved(id, nowMs)),
      recordOutcomes: (outcomes, nowMs) => inTransaction((unit) => createMarkets(unit).recordOutcomes(outcomes, nowMs)),
      setDisabled: (id, reason, nowMs) => inTransaction((unit) => createMarkets(unit).setDisabled(id, reason, nowMs)),
    },
    oracles: {
      ...aggregates.oracles,
      stop: (oracle) => inTransaction((unit) => createOracles(unit).stop(oracle)),
      resume: (address, nowMs) => inTransaction((unit) => createOracles(unit).resume(address, nowMs)),
    },
    positions: {
      ...aggregates.positions,
      ...positionReads(prisma),
      put: (projection) => inTransaction((unit) => createPositions(unit).put(projection)),
      remove: (positionKey) => inTransaction((unit) => createPositions(unit).remove(positionKey)),
      unfreeze: (positionKey) => inTransaction((unit) => createPositions(unit).unfreeze(positionKey)),
    },
    outbox: {
      ...aggregates.outbox,
      append: (entries) => inTransaction((unit) => createOutbox(unit).append(entries)),
      subscribe: (wake) => broadcast.subscribe('outbox', wake),
    },
    chain: {
      ...aggregates.chain,
      ...chainReads(prisma),
      advance: (step) => inTransaction((unit) => createChain(unit).advance(step)),
      addMissed: (missed) => inTransaction((unit) => createChain(unit).addMissed(missed)),
      rollback: (chainKey, ancestor) => inTransaction((unit) => createChain(unit).rollback(chainKey, ancestor)),
    },
  };
}

function signalsOf(broadcast: Broadcast): SignalStore {
  return {
    publish: (message) => broadcast.publish('signals', message),
    subscribe: (onMessage) =>
      broadcast.subscribe('signals', (message) => {
        if (message !== null) onMessage(message);
      }),
  };
}

function aggregatesOf(
  sql: Sql,
  refusedSubjects: RefusedSubjects,
): Omit<StoreTransaction, 'attempt' | 'limitLockWaits'> {
  return {
    admission: createAdmission(sql, refusedSubjects),
    markets: createMarkets(sql),
    oracles: createOracles(sql),
    drafts: createDrafts(sql),
    quotes: createQuotes(sql),
    usage: createUsage(sql),
    positions: createPositions(sql),
    outbox: createOutbox(sql),
    intents: createIntents(sql),
    steps: createSteps(sql),
    chain: createChain(sql),
  };
}
