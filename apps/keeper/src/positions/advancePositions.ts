import { locks, type Task } from '../runner/task.ts';
import type { Wake } from '../runner/wake.ts';
import type { DuePositions } from './duePositions.ts';
import type { PositionDriver } from './positionDriver.ts';

interface Advancing {
  readonly due: Pick<DuePositions, 'ofStatuses' | 'ofUnlisted' | 'ofWake'>;
  readonly driver: Pick<PositionDriver, 'enqueue' | 'stop'>;
}

/** Poll the positions whose status needs a step. */
export function advancePositionsTask({ due, driver }: Advancing): Task {
  return {
    name: 'advancePositions',
    lock: locks.signer,
    intervalMs: 300,
    run: async () => driver.enqueue(await due.ofStatuses()),
    finish: () => driver.stop(),
  };
}

/** Poll the positions of unlisted markets. */
export function advanceUnlistedTask({ due, driver }: Advancing): Task {
  return {
    name: 'advanceUnlisted',
    lock: locks.signer,
    intervalMs: 5_000,
    run: async () => driver.enqueue(await due.ofUnlisted()),
  };
}

/**
 * Advance the positions that a tick made due or that changed on chain, immediately. A debt that is still due at the
 * next round (no order was possible, or the wake was lost) is advanced again then.
 */
export function advanceDueTask({ due, driver, wake }: Advancing & { readonly wake: Wake }): Task {
  return {
    name: 'advanceDue',
    lock: locks.signer,
    intervalMs: 300,
    wake,
    run: async () => driver.enqueue(await due.ofWake(wake.take())),
  };
}
