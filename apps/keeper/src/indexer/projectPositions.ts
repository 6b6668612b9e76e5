import { Fault } from '@core/errors';
import type { MarketRecord } from '@core/market';
import { type FoldContext, foldPosition, type Position, positionUsageOf, type QuotedTerms } from '@core/position';
import type { Clock } from '@core/runtime';
import {
  isDatabaseFault,
  isLockTimeout,
  type PositionEventType,
  type PositionUsage,
  positionIdOf,
  putAnnounced,
  type QuoteRecord,
  removeAnnounced,
  StaleLeaseError,
  type StoreTransaction,
  type UsageMove,
} from '@core/store';
import { type CreatePositionFields, createPositionDigest } from '@core/vault';
import type { Address } from 'viem';
import { type Intent, intentsOfSubject, ofOperation } from '../transactions/intents.ts';
import type { Operation } from '../transactions/intentTable.ts';
import { positionEventsOf, type StoredEvent, storedEventOf } from './ledgerEvent.ts';
import { outboxEntriesOf } from './outboxEntries.ts';

/** Positions to fold again. */
export interface Projecting {
  readonly subjects: readonly string[];
  /** First block whose events are new: only they create customer events. Null when none is new. */
  readonly fromBlock: bigint | null;
  /** Type of an event created for each of them in any case, for a change outside the position's own record. */
  readonly also?: PositionEventType;
  /**
   * True to skip a position that cannot be folded, and the others continue: it is frozen and reported, or returned when
   * another session has a row locked.
   */
  readonly isIsolated?: boolean;
}

/**
 * Refolds positions from their stored events: projection, usage and customer events, or their removal. Returns those
 * that are not folded because of a lock.
 */
export type ProjectPositions = (unit: StoreTransaction, projecting: Projecting) => Promise<readonly string[]>;

export interface ProjectionOptions {
  /** The vault, and its name in the store. */
  readonly chainKey: string;
  readonly chainId: number;
  readonly vault: Address;
  readonly clock: Clock;
  /** Called for each skipped position. */
  readonly onFailed: (positionKey: string, cause: unknown) => void;
}

/** Freeze reason of a position that cannot be folded from its events. */
const unfoldableReason = 'projection_failed';

/** True for a failure that says nothing about the items under way: the same work may succeed later. */
const isTransient = (error: unknown): boolean =>
  error instanceof Fault || error instanceof StaleLeaseError || isDatabaseFault(error);

export function positionProjection(options: ProjectionOptions): ProjectPositions {
  return async (unit, { subjects, isIsolated = false, ...projecting }) => {
    if (isIsolated) return projectEach(options, unit, { subjects, ...projecting });
    // All locks are taken before any write: otherwise two refolds could deadlock.
    await unit.positions.lockProjections(subjects);
    // One global order of rows prevents deadlocks between transactions.
    const moves: UsageMove[] = [];
    for (const subject of subjects.toSorted()) {
      moves.push(await projectPosition(options, unit, { subject, ...projecting }));
    }
    // Usage last and in one statement: quotes use the same counters, so their locks are held as briefly as possible.
    await unit.usage.move(moves, options.clock.nowMs());
    return [];
  };
}

/** Wait of an isolated part for a lock: others wait for its transaction. */
const isolatedLockWaitMs = 25;

/** Project each position in a part of the transaction of its own, and return those with a row that is locked. */
async function projectEach(
  options: ProjectionOptions,
  unit: StoreTransaction,
  { subjects, ...projecting }: Omit<Projecting, 'isIsolated'>,
): Promise<readonly string[]> {
  const locked: string[] = [];
  for (const subject of subjects.toSorted()) {
    const isFree = await unlessLocked(unit, () => projectOrFreeze(options, unit, { subject, ...projecting }));
    if (!isFree) locked.push(subject);
  }
  return locked;
}

/**
 * Run a part of a transaction with short waits for locks. Undo it alone and return false when another session has a row
 * locked.
 */
export async function unlessLocked(unit: StoreTransaction, part: () => Promise<unknown>): Promise<boolean> {
  await unit.limitLockWaits(isolatedLockWaitMs);
  try {
    await unit.attempt(part);
    return true;
  } catch (error) {
    if (isLockTimeout(error)) return false;
    throw error;
  }
}

/** Return the fault of a position that is not folded because of a lock. */
export function lockedFault(): Fault {
  const message = 'a row of the position or of its market is locked by another session of the database';
  return new Fault({ origin: 'store', kind: 'retryable', message });
}

async function projectOrFreeze(
  options: ProjectionOptions,
  unit: StoreTransaction,
  { subject, ...projecting }: Omit<Projecting, 'subjects' | 'isIsolated'> & { readonly subject: string },
): Promise<void> {
  try {
    await unit.attempt(async () => {
      await unit.positions.lockProjections([subject]);
      const move = await projectPosition(options, unit, { subject, ...projecting });
      await unit.usage.move([move], options.clock.nowMs());
    });
  } catch (error) {
    if (isTransient(error)) throw error;
    await unit.positions.freeze(subject, unfoldableReason);
    options.onFailed(subject, error);
  }
}

/**
 * Run a transaction that projects positions. If one position makes it fail, or a row of one is locked, run it again
 * with each position isolated.
 */
export async function isolatingFailures<Result>(
  run: (isolation: { readonly isIsolated: boolean }) => Promise<Result>,
): Promise<Result> {
  try {
    return await run({ isIsolated: false });
  } catch (error) {
    if (isTransient(error) && !isLockTimeout(error)) throw error;
    return run({ isIsolated: true });
  }
}

async function projectPosition(
  options: ProjectionOptions,
  unit: StoreTransaction,
  { subject, fromBlock, also }: Omit<Projecting, 'subjects' | 'isIsolated'> & { readonly subject: string },
): Promise<UsageMove> {
  const nowMs = options.clock.nowMs();
  const storedEvents = (await unit.chain.eventsOf(options.chainKey, subject)).map(storedEventOf);
  const created = storedEvents[0]?.name === 'PositionCreated' ? storedEvents[0] : null;
  const market = created && (await unit.markets.lockByVenueMarketId(created.args.request.venueMarketId));
  const context = created && (await contextOf(options, unit, { created, market }));
  const events = positionEventsOf(storedEvents);
  // Decision: packages/store/DECISIONS.md#a-position-is-folded-whole-from-its-events
  const projection = context && foldPosition(events, context);
  if (context === null || projection === null) {
    await removeAnnounced(unit, subject, nowMs);
    return { kind: 'forgotten', positionKey: subject };
  }
  const { position } = projection;
  const entries = fromBlock === null ? [] : outboxEntriesOf(events, { fromBlock, context, market });
  await putAnnounced(unit, { history: projection, market, entries, nowMs, ...(also !== undefined && { also }) });
  return { kind: 'counted', usage: usageOf(position, market) };
}

type CreatedEvent = Extract<StoredEvent, { readonly name: 'PositionCreated' }>;

/** Operations whose intents a fold reads; their retention is that of the position. */
const foldedOperations: readonly Operation[] = ['refund', 'defer_close', 'authorize_unwind'];

async function contextOf(
  options: ProjectionOptions,
  unit: StoreTransaction,
  { created, market }: { readonly created: CreatedEvent; readonly market: MarketRecord | null },
): Promise<FoldContext> {
  const { positionKey } = created.args;
  const intents = await intentsOfSubject(unit.intents, positionKey.toLowerCase(), foldedOperations);
  const quote = await quoteOf(options, unit, created);
  return {
    positionId: positionIdOf(positionKey),
    quote: quote && quotedTermsOf(quote),
    market,
    arePayoutsKnown: arePayoutsKnown(market),
    refundReason: refundReasonOf(intents),
    closeDeferredAtMs: ofOperation(intents, 'defer_close').at(-1)?.createdAtMs ?? null,
    unwindOrders: unwindOrdersOf(intents),
  };
}

function quotedTermsOf({ id, partnerId, side, request, figures: priced, riskSignature }: QuoteRecord): QuotedTerms {
  return {
    ...priced.figures,
    id,
    partnerId,
    side,
    riskMode: priced.riskMode,
    risk: { exitSeconds: priced.exitSeconds, plannedUnwinds: priced.plannedUnwinds, signature: riskSignature },
    exitBufferBps: priced.exitBufferBps,
    slippageBps: priced.slippageBps,
    allowPartialFill: request.allowPartialFill,
    minFillBps: priced.minFillBps,
  };
}

function usageOf(position: Position, market: MarketRecord | null): PositionUsage {
  const { positionKey, partnerId, walletAddress, marketId, side } = position;
  const scope = { partnerId, walletAddress, marketId, side, clusterKey: market?.clusterKey ?? null };
  return { positionKey, scope, ...positionUsageOf(position) };
}

function arePayoutsKnown(market: MarketRecord | null): boolean {
  return market !== null && market.payoutDenominator !== null;
}

/** Return the stored quote whose digest the chain's own fields have; null when none has. */
async function quoteOf(
  { chainId, vault }: ProjectionOptions,
  unit: StoreTransaction,
  { args }: CreatedEvent,
): Promise<QuoteRecord | null> {
  const fields: CreatePositionFields = { ...args.request, user: args.user, chainId, vault };
  return unit.quotes.byDigest(createPositionDigest(fields));
}

/**
 * Return the reason and rung of each unwind order, from the intents of its authorisation. A grant has no hash of its
 * own: the transaction that authorised it takes its place.
 */
function unwindOrdersOf(intents: readonly Intent[]): FoldContext['unwindOrders'] {
  return new Map(
    ofOperation(intents, 'authorize_unwind').flatMap(({ plan: { details }, transactionHash }) => {
      const { reason, rung } = details.unwind;
      const hash = 'orderHash' in details ? details.orderHash : transactionHash;
      return hash === null ? [] : [[hash.toLowerCase(), { reason, rung }] as const];
    }),
  );
}

function refundReasonOf(intents: readonly Intent[]): Position['failureReason'] {
  return ofOperation(intents, 'refund').at(-1)?.plan.details.reason ?? null;
}
