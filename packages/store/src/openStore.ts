import { PrismaPg } from '@prisma/adapter-pg';
import type { Broadcast, Subscription } from './database/broadcast.ts';
import { postgresBroadcast } from './database/postgresBroadcast.ts';
import { redisBroadcast } from './database/redisBroadcast.ts';
import { RedisConnection } from './database/redisConnection.ts';
import { createPool, noticing, readAtOnce, type Sql, sqlOfPool, transact } from './database/sql.ts';
import { PrismaClient } from './generated/prisma/client.ts';
import type { ChainStore } from './keeper/chain.ts';
import { createChain } from './keeper/createChain.ts';
import { createExits } from './keeper/createExits.ts';
import { createHeartbeats } from './keeper/createHeartbeats.ts';
import { createIntents } from './keeper/createIntents.ts';
import { createLocks } from './keeper/createLocks.ts';
import type { ExitStore } from './keeper/exits.ts';
import type { HeartbeatStore } from './keeper/heartbeats.ts';
import type { IntentStore } from './keeper/intents.ts';
import type { LockStore } from './keeper/locks.ts';
import { createMarkets } from './market/createMarkets.ts';
import { createOracles } from './market/createOracles.ts';
import type { MarketStore } from './market/markets.ts';
import type { OracleStore } from './market/oracles.ts';
import { append, createOutbox } from './outbox/createOutbox.ts';
import type { OutboxStore } from './outbox/outbox.ts';
import type { ApiKeyStore } from './partner/apiKeys.ts';
import { createApiKeys } from './partner/createApiKeys.ts';
import { createPartners } from './partner/createPartners.ts';
import type { PartnerStore } from './partner/partners.ts';
import { createPositions } from './position/createPositions.ts';
import type { PositionStore } from './position/positions.ts';
import type { AdmissionStore } from './quote/admission.ts';
import { createAdmission } from './quote/createAdmission.ts';
import { createDrafts } from './quote/createDrafts.ts';
import { createQuotes } from './quote/createQuotes.ts';
import { createUsage } from './quote/createUsage.ts';
import type { DraftStore } from './quote/drafts.ts';
import type { QuoteStore } from './quote/quotes.ts';
import type { UsageStore } from './quote/usage.ts';
import { createIdempotency } from './service/createIdempotency.ts';
import { createLimits } from './service/createLimits.ts';
import { createRedisLimits } from './service/createRedisLimits.ts';
import type { IdempotencyStore } from './service/idempotency.ts';
import type { LimitStore } from './service/limits.ts';
import { RefusedSubjects } from './service/refusedSubjects.ts';

/** The aggregates that may change together in one transaction. */
export interface StoreTransaction {
  readonly markets: MarketStore;
  readonly oracles: OracleStore;
  readonly drafts: DraftStore;
  readonly quotes: QuoteStore;
  readonly usage: UsageStore;
  readonly positions: PositionStore;
  readonly outbox: Omit<OutboxStore, 'subscribe'>;
  readonly intents: IntentStore;
  readonly chain: ChainStore;
}

/** Short messages to every process of the service that listens now; nothing is kept. */
export interface SignalStore {
  publish(message: string): Promise<void>;
  subscribe(onMessage: (message: string) => void): Promise<Subscription>;
}

export interface Store extends Omit<StoreTransaction, 'outbox'> {
  readonly outbox: OutboxStore;
  readonly admission: AdmissionStore;
  readonly partners: PartnerStore;
  readonly apiKeys: ApiKeyStore;
  readonly idempotency: IdempotencyStore;
  readonly limits: LimitStore;
  readonly locks: LockStore;
  readonly heartbeats: HeartbeatStore;
  readonly exits: ExitStore;
  readonly signals: SignalStore;
  /** Runs `work` in one database transaction: all of it or nothing. */
  transaction<Result>(work: (unit: StoreTransaction) => Promise<Result>): Promise<Result>;
  /** Runs reads that all see the database as it was at one moment. */
  readAtOnce<Result>(work: (unit: StoreTransaction) => Promise<Result>): Promise<Result>;
  /** Answers when the database does; for readiness. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface StoreConfig {
  readonly databaseUrl: string;
  readonly maxConnections?: number;
  /** Counts limits and carries messages for all processes that name it; PostgreSQL does both when left out. */
  readonly redisUrl?: string | undefined;
  /** Hears of each time Redis does not answer: PostgreSQL counts limits, and events are polled, meanwhile. */
  readonly onRedisFault?: (cause: unknown) => void;
}

const ignored = (): void => undefined;

/** The store of one process: a pool of connections and an aggregate for each kind of thing. Opens lazily. */
export function openStore({ databaseUrl, maxConnections, redisUrl, onRedisFault = ignored }: StoreConfig): Store {
  const size = maxConnections === undefined ? {} : { maxConnections };
  const pool = createPool({ databaseUrl, ...size, wakesElsewhere: redisUrl !== undefined });
  const sql = sqlOfPool(pool);
  // Several services may share a Redis: their databases keep them apart.
  const prefix = new URL(databaseUrl).pathname.slice(1);
  const redis = redisUrl === undefined ? null : new RedisConnection({ redisUrl, onFault: onRedisFault });
  const broadcast = redis === null ? postgresBroadcast(databaseUrl, sql) : redisBroadcast(redis, prefix);
  const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: databaseUrl, max: 2 }) });
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
  const aggregates = aggregatesOf(sql);
  const refused = new RefusedSubjects();
  const ownLimits = createLimits(sql, refused);
  const locks = createLocks(sql, databaseUrl);
  return {
    ...aggregates,
    ...wholeChangesOf(aggregates, { inTransaction, broadcast }),
    admission: createAdmission(sql, refused),
    partners: createPartners(prisma, sql),
    apiKeys: createApiKeys(sql, inTransaction),
    idempotency: createIdempotency(sql),
    limits: redis === null ? ownLimits : createRedisLimits({ connection: redis, prefix, refused, fallback: ownLimits }),
    locks,
    heartbeats: createHeartbeats(sql),
    exits: createExits(sql),
    signals: signalsOf(broadcast),
    transaction: (work) => inTransaction((unit) => work(aggregatesOf(unit))),
    readAtOnce: (work) => readAtOnce(pool, (unit) => work(aggregatesOf(unit))),
    async ping() {
      await sql.row({ name: 'ping', text: 'SELECT 1 AS one' });
    },
    async close() {
      await Promise.all([redis?.close(), locks.close()]);
      await prisma.$disconnect();
      await pool.end();
    },
  };
}

type InTransaction = <Result>(work: (unit: Sql) => Promise<Result>) => Promise<Result>;

/** Aggregates whose changes write several rows, each change in a transaction of its own: all of it or nothing. */
function wholeChangesOf(
  aggregates: ReturnType<typeof aggregatesOf>,
  { inTransaction, broadcast }: { readonly inTransaction: InTransaction; readonly broadcast: Broadcast },
): Pick<Store, 'markets' | 'oracles' | 'positions' | 'outbox' | 'chain'> {
  return {
    markets: {
      ...aggregates.markets,
      // Rows and their events commit together.
      sync: (listed, nowMs) => inTransaction((unit) => createMarkets(unit).sync(listed, nowMs)),
      moveStatus: (id, status, nowMs) => inTransaction((unit) => createMarkets(unit).moveStatus(id, status, nowMs)),
      announceUnresolved: (query) => inTransaction((unit) => createMarkets(unit).announceUnresolved(query)),
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

function aggregatesOf(sql: Sql): StoreTransaction {
  return {
    markets: createMarkets(sql),
    oracles: createOracles(sql),
    drafts: createDrafts(sql),
    quotes: createQuotes(sql),
    usage: createUsage(sql),
    positions: createPositions(sql),
    outbox: createOutbox(sql),
    intents: createIntents(sql),
    chain: createChain(sql),
  };
}
