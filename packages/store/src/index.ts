export { isDatabaseFault } from './database/databaseFault.ts';
export { databaseNeighbour } from './database/databaseNeighbour.ts';
export { decodeDomainJson, encodeDomainJson } from './database/domainJson.ts';
export { migrate, pendingMigrations } from './database/migrate.ts';
export { removeEmbeddedPostgres, startEmbeddedPostgres } from './database/startEmbeddedPostgres.ts';
export { createId, eventIdOf, positionIdOf } from './ids.ts';
export {
  type ChainBlock,
  type ChainCursor,
  type ChainEventRecord,
  type ChainStore,
  subjectsOf,
} from './keeper/chain.ts';
export { StaleLeaseError } from './keeper/createIntents.ts';
export type { ExitSale, ExitStore, ExitWait } from './keeper/exits.ts';
export type { HeartbeatStore } from './keeper/heartbeats.ts';
export type { IntentRecord, IntentState, IntentStore, NewIntent, SignedTransaction } from './keeper/intents.ts';
export type { Lease, LockStore } from './keeper/locks.ts';
export type { DueMarket, ListedMarket, MarketRecord, MarketStore } from './market/markets.ts';
export type { OracleStore, StoppedOracle } from './market/oracles.ts';
export { openStore, type Store, type StoreTransaction } from './openStore.ts';
export {
  comparePlaces,
  type DatabaseSnapshot,
  type EventAudience,
  type EventMarket,
  type EventPlace,
  isSeenBy,
  type MarketPayload,
  type OutboxEntry,
  type OutboxRecord,
  type OutboxStore,
  type PositionPayload,
} from './outbox/outbox.ts';
export type { ApiKeyStore } from './partner/apiKeys.ts';
export type { Environment, PartnerRecord, PartnerStore } from './partner/partners.ts';
export { putAnnounced, removeAnnounced } from './position/announcePosition.ts';
export { positionPayloadOf } from './position/positionEntry.ts';
export type { ListedPosition, PositionListQuery, PositionStore } from './position/positions.ts';
export type { Admission, AdmissionStore } from './quote/admission.ts';
export type { DraftRecord } from './quote/drafts.ts';
export type { QuoteRecord, ReserveRequest } from './quote/quotes.ts';
export type { PositionUsage, UsageMove, UsageStore } from './quote/usage.ts';
export type { IdempotencyStore } from './service/idempotency.ts';
export type { LimitBucket, LimitState, LimitStore, StatementCharge } from './service/limits.ts';
