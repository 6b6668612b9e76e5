import { Fault } from '@core/errors';
import type { MarketRecord } from '@core/market';
import { foldPosition, type Position, positionUsageOf } from '@core/position';
import type { Clock } from '@core/runtime';
import {
  type AnnouncedPosition,
  isDatabaseFault,
  isLockTimeout,
  type PositionEventType,
  type PositionUsage,
  putAnnounced,
  removeAnnounced,
  StaleLeaseError,
  type StoreTransaction,
} from '@core/store';
import { type FoldSource, readFoldInputs } from './foldInputs.ts';
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

export interface ProjectionOptions extends FoldSource {
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
    await projectTogether(options, unit, { subjects, ...projecting });
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
      await projectTogether(options, unit, { subjects: [subject], ...projecting });
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

/** Positions whose histories are in memory at a time. */
const foldedTogether = 250;

/** Fold positions, and move their usage last: quotes use the same counters, so their locks are held briefly. */
async function projectTogether(
  options: ProjectionOptions,
  unit: StoreTransaction,
  { subjects, ...projecting }: Omit<Projecting, 'isIsolated'>,
): Promise<void> {
  const counted: PositionUsage[] = [];
  const forgotten: string[] = [];
  for (let start = 0; start < subjects.length; start += foldedTogether) {
    const part = { subjects: subjects.slice(start, start + foldedTogether), ...projecting };
    const moves = await foldTogether(options, unit, part);
    counted.push(...moves.counted);
    forgotten.push(...moves.forgotten);
  }
  await unit.usage.move({ counted, forgotten }, options.clock.nowMs());
}

/**
 * Fold positions: what their folds need is read together, and what follows from them is written together. Return the
 * moves of usage that remain to be made.
 */
async function foldTogether(
  options: ProjectionOptions,
  unit: StoreTransaction,
  { subjects, fromBlock, also }: Omit<Projecting, 'isIsolated'>,
): Promise<{ readonly counted: readonly PositionUsage[]; readonly forgotten: readonly string[] }> {
  const nowMs = options.clock.nowMs();
  const changed: AnnouncedPosition[] = [];
  const counted: PositionUsage[] = [];
  const forgotten: string[] = [];
  for (const { subject, events, context } of await readFoldInputs(options, unit, subjects)) {
    // Decision: packages/store/DECISIONS.md#a-position-is-folded-whole-from-its-events
    const history = context && foldPosition(events, context);
    if (context === null || history === null) {
      forgotten.push(subject);
      continue;
    }
    const { market } = context;
    const entries = fromBlock === null ? [] : outboxEntriesOf(events, { fromBlock, context, market });
    changed.push({ history, market, entries, ...(also !== undefined && { also }) });
    counted.push(usageOf(history.position, market));
  }
  await removeAnnounced(unit, forgotten, nowMs);
  await putAnnounced(unit, changed, nowMs);
  return { counted, forgotten };
}

function usageOf(position: Position, market: MarketRecord | null): PositionUsage {
  const { positionKey, partnerId, walletAddress, marketId, side } = position;
  const scope = { partnerId, walletAddress, marketId, side, clusterKey: market?.clusterKey ?? null };
  return { positionKey, scope, ...positionUsageOf(position) };
}
