export { decodeDomainJson, encodeDomainJson } from './database/domainJson.ts';
export { migrate } from './database/migrate.ts';
export { type EmbeddedPostgresServer, startEmbeddedPostgres } from './database/startEmbeddedPostgres.ts';
export { createId, eventIdOf, type IdPrefix, positionIdOf } from './ids.ts';
export type {
  ChainBlock,
  ChainCursor,
  ChainEventRecord,
  ChainStore,
} from './keeper/chain.ts';
export { StaleLeaseError } from './keeper/createIntents.ts';
export type { HeartbeatRecord, HeartbeatStore } from './keeper/heartbeats.ts';
export type {
  IntentChange,
  IntentRecord,
  IntentState,
  IntentStore,
  NewIntent,
  SignedTransaction,
} from './keeper/intents.ts';
export type { Lease, LockStore } from './keeper/locks.ts';
export type {
  CatalogueChanges,
  ListedMarket,
  MarketPayouts,
  MarketRecord,
  MarketStore,
  StatusMove,
} from './market/markets.ts';
export { marketTransitions } from './market/marketTransitions.ts';
export { openStore, type Store, type StoreConfig, type StoreTransaction } from './openStore.ts';
export type { ApiKeyRecord, ApiKeyStore, IssuedApiKey, IssueOutcome, NewApiKey } from './partner/apiKeys.ts';
export type { Environment, PartnerRecord, PartnerStore } from './partner/partners.ts';
export { activeStatuses, inactiveStatuses } from './position/listPositions.ts';
export type { OutboxEntry, OutboxQuery, OutboxRecord, OutboxStore, OutboxSubscription } from './position/outbox.ts';
export type {
  ChainState,
  CloseReason,
  FailureReason,
  OrderPurpose,
  PositionPartialCloseRecord,
  PositionProjection,
  PositionRecord,
  PositionStatus,
  PositionTransactionRecord,
  PositionUnwindRecord,
  TransactionGroup,
} from './position/positionRecord.ts';
export type {
  ListedPosition,
  PositionListQuery,
  PositionOwner,
  PositionPage,
  PositionStore,
} from './position/positions.ts';
export { type DraftOwner, type DraftRecord, type DraftStore, draftLifetimeMs, type NewDraft } from './quote/drafts.ts';
export {
  type BorrowScope,
  type NotionalScope,
  type QuoteRecord,
  type QuoteStore,
  type ReserveLimits,
  type ReserveOutcome,
  type ReserveRequest,
} from './quote/quotes.ts';
export type {
  PositionUsage,
  ReservationRecord,
  UsageByScope,
  UsageCounters,
  UsageScope,
  UsageStore,
} from './quote/usage.ts';
export {
  type IdempotencyRequest,
  type IdempotencyResult,
  type IdempotencyStart,
  type IdempotencyStore,
  idempotencyLifetimeMs,
  idempotencyLockMs,
} from './service/idempotency.ts';
export type { LimitBucket, LimitState, LimitStore } from './service/limits.ts';
