import { activeStatuses, isActiveStatus, type PositionStatus } from '@core/position';
import type { PositionStore } from '@core/store';
import { locks, type Task } from '../runner/task.ts';
import type { Wake } from '../runner/wake.ts';
import type { PositionDriver } from './positionDriver.ts';
import type { Urgency } from './workQueue.ts';

interface Driving {
  readonly positions: Pick<PositionStore, 'statuses'>;
  readonly driver: Pick<PositionDriver, 'enqueue' | 'isWaiting' | 'stop'>;
  /** Why the debt of a position is due; null while it is not. */
  readonly dueBy: (positionKey: string) => Urgency | null;
}

/** Something is to be done for them, whatever their market does. */
const busyStatuses: readonly PositionStatus[] = activeStatuses.filter((status) => status !== 'open');

/** What a status alone asks for. An open position has nothing to do unless its debt is due. */
const urgencyOfStatus: Readonly<Record<Exclude<(typeof activeStatuses)[number], 'open'>, Urgency>> = {
  unwinding: 'unwind',
  closing: 'close',
  pending: 'open',
  settling: 'settle',
};

function urgencyOf({ dueBy }: Driving, positionKey: string, status: PositionStatus): Urgency | null {
  if (!isActiveStatus(status)) return null;
  return dueBy(positionKey) ?? (status === 'open' ? null : urgencyOfStatus[status]);
}

/** The poll: every position whose status says that something is to be done, unless it waits. */
export function advancePositionsTask(driving: Driving): Task {
  const { positions, driver } = driving;
  return {
    name: 'advancePositions',
    lock: locks.signer,
    intervalMs: 300,
    async run() {
      const busy = await positions.statuses({ statuses: busyStatuses });
      const ready = busy.filter(({ positionKey }) => !driver.isWaiting(positionKey));
      driver.enqueue(workOf(driving, ready));
    },
    finish: () => driver.stop(),
  };
}

/**
 * The wake: exactly the positions that a tick made due, or that changed on chain, at once and whatever they wait for.
 * What is still due at the next round (no order was possible, or the wake was lost) is looked at again then.
 */
export function advanceDueTask(
  driving: Driving & { readonly wake: Wake; readonly dueNow: () => readonly string[] },
): Task {
  const { positions, driver, wake, dueNow } = driving;
  return {
    name: 'advanceDue',
    lock: locks.signer,
    intervalMs: 300,
    wake,
    async run() {
      const again = dueNow().filter((positionKey) => !driver.isWaiting(positionKey));
      const positionKeys = [...new Set([...wake.take(), ...again])];
      const found = positionKeys.length === 0 ? [] : await positions.statuses({ positionKeys });
      driver.enqueue(workOf(driving, found));
    },
  };
}

function workOf(driving: Driving, found: Awaited<ReturnType<PositionStore['statuses']>>) {
  return found.flatMap(({ positionKey, status, marketId }) => {
    const urgency = urgencyOf(driving, positionKey, status);
    const isBegun = status === 'unwinding' || status === 'closing';
    return urgency === null ? [] : [{ positionKey, marketId, urgency, isBegun }];
  });
}
