export { type DatabaseFault, databaseFaultOf, isDatabaseFault, isLockTimeout } from './database/databaseFault.ts';
export { databaseNeighbour } from './database/databaseNeighbour.ts';
export { decodeDomainJson, encodeDomainJson } from './database/domainJson.ts';
export { describeHolder, type LockHolder } from './database/lockHolders.ts';
export { migrate, pendingMigrations } from './database/migrate.ts';
export { commandOf, isAlive, type ProcessState, processStateOf } from './database/processState.ts';
export { requireMigrated } from './database/requireMigrated.ts';
export { requireSession } from './database/requireSession.ts';
export {
  endLeftoverPostgres,
  removeEmbeddedPostgres,
  startEmbeddedPostgres,
} from './database/startEmbeddedPostgres.ts';
export { createId, eventIdOf, positionIdOf } from './ids.ts';
export {
  type ChainBlock,
  type ChainCursor,
  type ChainEventRecord,
  type EndedGrantRecord,
  subjectsOf,
} from './keeper/chain.ts';
export type { ChainStore } from './keeper/chainReads.ts';
export type { ExitSale, ExitStore, ExitWait } from './keeper/createExits.ts';
export type { HeartbeatStore } from './keeper/createHeartbeats.ts';
export type { IntentStore } from './keeper/createIntents.ts';
export { type LockStore, shareLockOf } from './keeper/createLocks.ts';
export type { StepInputs, StepStore } from './keeper/createSteps.ts';
export type { IntentRecord, IntentState, NewIntent, NonceOwner, SignedTransaction } from './keeper/intents.ts';
export type { Lease } from './keeper/locks.ts';
export { StaleLeaseError } from './keeper/staleLeaseError.ts';
export type { MarketStore } from './market/createMarkets.ts';
export type { StoppedOracle } from './market/createOracles.ts';
export type { DueMarket, SettlingMarket, UnregisteredMarket } from './market/markets.ts';
export { openStore, type Store, type StoreTransaction } from './openStore.ts';
export type { OutboxStore } from './outbox/createOutbox.ts';
export {
  comparePlaces,
  type DatabaseSnapshot,
  type EventAudience,
  type EventContent,
  type EventMarket,
  type EventPlace,
  isMarketEvent,
  isSeenBy,
  type MarketEventRecord,
  type OutboxEntry,
  type OutboxRecord,
  type PositionEventType,
  payloadOf,
  type RunningWriter,
} from './outbox/outbox.ts';
export type { ApiKeyStore } from './partner/createApiKeys.ts';
export type { Environment, ListedPartner, PartnerRecord, PartnerStore } from './partner/createPartners.ts';
export { type AnnouncedPosition, putAnnounced, removeAnnounced } from './position/announcePosition.ts';
export type { PositionStore } from './position/createPositions.ts';
export { positionPayloadOf } from './position/positionEntry.ts';
export type { ListedPosition, PositionListQuery } from './position/positions.ts';
export type { AdmissionOutcome } from './quote/admission.ts';
export type { AdmissionStore } from './quote/createAdmission.ts';
export type { DraftRecord } from './quote/createDrafts.ts';
export type { QuoteRecord, ReserveRequest } from './quote/createQuotes.ts';
export type { PositionUsage, UsageStore } from './quote/createUsage.ts';
export type { IdempotencyStore } from './service/createIdempotency.ts';
export type { LimitBucket, LimitState, LimitStore, StatementCharge } from './service/limits.ts';
export { exportService, importService } from './service/serviceCopy.ts';
