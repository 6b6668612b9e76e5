import type { Store } from '@core/store';
import type { Logger } from 'pino';
import { IsolatedItems } from '../runner/isolatedItems.ts';
import type { KeeperMetrics } from '../runner/keeperMetrics.ts';
import { locks, type Task } from '../runner/task.ts';
import { lockedFault, type ProjectPositions } from './projectPositions.ts';

export interface FoldPostponedOptions {
  readonly source: { readonly chainKey: string };
  readonly store: Pick<Store, 'chain' | 'transaction'>;
  readonly project: ProjectPositions;
  /** Called with each position after it is folded. */
  readonly onChanged: (positionKeys: readonly string[]) => void;
  readonly logger: Logger;
  readonly metrics: Pick<KeeperMetrics, 'itemFailures' | 'failingItems'>;
}

/** Pauses of a position with a row that is still locked: it is folded within seconds after the lock ends. */
const pauses = { firstMs: 1_000, longestMs: 3_000 };

/** Fold positions from their stored events that the index postponed because another session had a row locked. */
export function foldPostponedTask(options: FoldPostponedOptions): Task {
  const { source, store, logger, metrics } = options;
  const folding = new IsolatedItems({ name: 'foldPostponed', pauses, logger, metrics });
  return {
    name: 'foldPostponed',
    lock: locks.index,
    intervalMs: 1_000,
    async run() {
      const postponed = await store.chain.postponed(source.chainKey);
      await folding.serve(
        postponed,
        ({ positionKey }) => positionKey,
        ({ positionKey }) => fold(options, positionKey),
      );
    },
  };
}

async function fold(
  { source, store, project, onChanged, logger }: FoldPostponedOptions,
  positionKey: string,
): Promise<boolean> {
  const { chainKey } = source;
  await store.transaction(async (unit) => {
    // The cursor is held: the index adds no event and postpones nothing meanwhile.
    const cursor = await unit.chain.lockCursor(chainKey);
    const subjects = [positionKey];
    const [postponed] = await unit.chain.postponedAmong(chainKey, subjects);
    if (cursor === null || postponed === undefined) return;
    const locked = await project(unit, { subjects, fromBlock: postponed.fromBlock, isIsolated: true });
    if (locked.length > 0) throw lockedFault();
    // Readers of changes by block read it again.
    await unit.positions.markChanged(subjects, cursor.blockNumber);
    await unit.chain.removePostponed(chainKey, positionKey);
  });
  logger.info({ positionKey }, 'postponed position folded');
  onChanged([positionKey]);
  return true;
}
