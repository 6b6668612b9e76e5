import type { StoreTransaction } from '@core/store';
import { type Projecting, type ProjectPositions, unlessLocked } from './projectPositions.ts';

/** Wait for a lock before each position is written apart: a busy row is free in less. */
const togetherLockWaitMs = 500;

interface Isolation {
  readonly isIsolated: boolean;
}

/** Lock the projections of a range before its first write. Isolated ones are locked when they are folded. */
export async function beginRange(
  unit: StoreTransaction,
  { subjects, isIsolated }: Isolation & Pick<Projecting, 'subjects'>,
): Promise<void> {
  await unit.limitLockWaits(togetherLockWaitMs);
  if (!isIsolated) await unit.positions.lockProjections(subjects);
}

/** Record outcomes. Of a market whose row is locked, the task that registers outcomes records them later. */
export async function recordOutcomes(
  unit: StoreTransaction,
  outcomes: Parameters<StoreTransaction['markets']['recordOutcomes']>[0],
  { nowMs, isIsolated }: Isolation & { readonly nowMs: number },
): Promise<void> {
  if (!isIsolated) return unit.markets.recordOutcomes(outcomes, nowMs);
  for (const outcome of outcomes) await unlessLocked(unit, () => unit.markets.recordOutcomes([outcome], nowMs));
}

/**
 * Fold the positions of new events. Those with a row that is locked are folded later, and until then those that were
 * postponed before: their events keep their order. The transaction holds the cursor.
 * @returns Positions that are postponed.
 */
export async function projectReady(
  { project, chainKey }: { readonly project: ProjectPositions; readonly chainKey: string },
  unit: StoreTransaction,
  { subjects, fromBlock, isIsolated }: Isolation & { readonly subjects: readonly string[]; readonly fromBlock: bigint },
): Promise<readonly string[]> {
  if (subjects.length === 0) return [];
  const postponed = await unit.chain.postponedAmong(chainKey, subjects);
  const waiting = new Set(postponed.map(({ positionKey }) => positionKey));
  const ready = subjects.filter((subject) => !waiting.has(subject));
  const locked = await project(unit, { subjects: ready, fromBlock, isIsolated });
  const positionKeys = [...subjects.filter((subject) => waiting.has(subject)), ...locked];
  await unit.chain.postpone({ chainKey, positionKeys, fromBlock });
  return positionKeys;
}
