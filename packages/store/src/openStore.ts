import { PrismaPg } from '@prisma/adapter-pg';
import { createPool, type Sql, sqlOfPool, transact } from './database/sql.ts';
import { subscribeToChannel } from './database/subscribeToChannel.ts';
import { PrismaClient } from './generated/prisma/client.ts';
import type { ChainStore } from './keeper/chain.ts';
import { createChain } from './keeper/createChain.ts';
import { createHeartbeats } from './keeper/createHeartbeats.ts';
import { createIntents } from './keeper/createIntents.ts';
import { createLocks } from './keeper/createLocks.ts';
import type { HeartbeatStore } from './keeper/heartbeats.ts';
import type { IntentStore } from './keeper/intents.ts';
import type { LockStore } from './keeper/locks.ts';
import { createMarkets } from './market/createMarkets.ts';
import type { MarketStore } from './market/markets.ts';
import type { ApiKeyStore } from './partner/apiKeys.ts';
import { createApiKeys } from './partner/createApiKeys.ts';
import { createPartners } from './partner/createPartners.ts';
import type { PartnerStore } from './partner/partners.ts';
import { createOutbox } from './position/createOutbox.ts';
import { createPositions } from './position/createPositions.ts';
import type { OutboxStore } from './position/outbox.ts';
import type { PositionStore } from './position/positions.ts';
import { createDrafts } from './quote/createDrafts.ts';
import { createQuotes } from './quote/createQuotes.ts';
import { createUsage } from './quote/createUsage.ts';
import type { DraftStore } from './quote/drafts.ts';
import type { QuoteStore } from './quote/quotes.ts';
import type { UsageStore } from './quote/usage.ts';
import { createIdempotency } from './service/createIdempotency.ts';
import { createLimits } from './service/createLimits.ts';
import type { IdempotencyStore } from './service/idempotency.ts';
import type { LimitStore } from './service/limits.ts';

/** The aggregates that may change together in one transaction. */
export interface StoreTransaction {
  readonly markets: MarketStore;
  readonly drafts: DraftStore;
  readonly quotes: QuoteStore;
  readonly usage: UsageStore;
  readonly positions: PositionStore;
  readonly outbox: Omit<OutboxStore, 'subscribe'>;
  readonly intents: IntentStore;
  readonly chain: ChainStore;
}

export interface Store extends Omit<StoreTransaction, 'outbox'> {
  readonly outbox: OutboxStore;
  readonly partners: PartnerStore;
  readonly apiKeys: ApiKeyStore;
  readonly idempotency: IdempotencyStore;
  readonly limits: LimitStore;
  readonly locks: LockStore;
  readonly heartbeats: HeartbeatStore;
  /** Runs `work` in one database transaction: all of it or nothing. */
  transaction<Result>(work: (unit: StoreTransaction) => Promise<Result>): Promise<Result>;
  /** Answers when the database does; for readiness. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface StoreConfig {
  readonly databaseUrl: string;
  readonly maxConnections?: number;
}

/** The store of one process: a pool of connections and an aggregate for each kind of thing. Opens lazily. */
export function openStore({ databaseUrl, maxConnections }: StoreConfig): Store {
  const pool = createPool({ databaseUrl, ...(maxConnections === undefined ? {} : { maxConnections }) });
  const sql = sqlOfPool(pool);
  const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: databaseUrl, max: 2 }) });
  const inTransaction = <Result>(work: (unit: Sql) => Promise<Result>): Promise<Result> => transact(pool, work);
  const aggregates = aggregatesOf(sql);
  return {
    ...aggregates,
    markets: {
      ...aggregates.markets,
      // Rows and their events commit together.
      sync: (listed, nowMs) => inTransaction((unit) => createMarkets(unit).sync(listed, nowMs)),
    },
    positions: {
      ...aggregates.positions,
      put: (projection) => inTransaction((unit) => createPositions(unit).put(projection)),
      remove: (positionKey) => inTransaction((unit) => createPositions(unit).remove(positionKey)),
    },
    outbox: {
      ...aggregates.outbox,
      append: (entries) => inTransaction((unit) => createOutbox(unit).append(entries)),
      subscribe: (wake) => subscribeToChannel(databaseUrl, 'outbox', wake),
    },
    intents: {
      ...aggregates.intents,
      addTransaction: (transaction) => inTransaction((unit) => createIntents(unit).addTransaction(transaction)),
    },
    chain: {
      ...aggregates.chain,
      advance: (step) => inTransaction((unit) => createChain(unit).advance(step)),
      rollback: (chainKey, ancestor) => inTransaction((unit) => createChain(unit).rollback(chainKey, ancestor)),
    },
    partners: createPartners(prisma),
    apiKeys: createApiKeys(sql, inTransaction),
    idempotency: createIdempotency(sql),
    limits: createLimits(pool),
    locks: createLocks(sql, databaseUrl),
    heartbeats: createHeartbeats(sql),
    transaction: (work) => inTransaction((unit) => work(aggregatesOf(unit))),
    async ping() {
      await sql.row({ name: 'ping', text: 'SELECT 1 AS one' });
    },
    async close() {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}

function aggregatesOf(sql: Sql): StoreTransaction {
  return {
    markets: createMarkets(sql),
    drafts: createDrafts(sql),
    quotes: createQuotes(sql),
    usage: createUsage(sql),
    positions: createPositions(sql),
    outbox: createOutbox(sql),
    intents: createIntents(sql),
    chain: createChain(sql),
  };
}
