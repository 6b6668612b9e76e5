import { setTimeout as delay } from 'node:timers/promises';
import type { PositionWire } from '@core/wire';
import type { DemoPosition, Driver } from './driver.ts';

const patienceMs = 90_000;
/** Interval of the first polls; a long wait polls less often, because a wallet has 60 requests a minute. */
const quickPollMs = 500;
const pollMs = 1_500;
const quickPolls = 12;

/** Statuses of a position that ended with a result. */
export const endedStatuses = ['closed', 'settled', 'liquidated'] as const;

/** Position, statuses and deadline of a wait. */
interface Goal {
  readonly statuses: readonly PositionWire['status'][];
  readonly withinMs: number;
}

/** A position that was refunded before it was filled. */
export class PositionCancelled extends Error {
  override readonly name = 'PositionCancelled';
}

/** Poll the service until the position has one of the statuses. @throws Error when it does not in time. */
export async function waitForStatus(
  driver: Driver,
  position: DemoPosition,
  statuses: Goal['statuses'],
): Promise<PositionWire> {
  const reached = await statusWithin(driver, position, { statuses, withinMs: patienceMs });
  if (reached !== null) return reached;
  const { status } = (await driver.api.positionOfKey(position.token, position.key)) ?? { status: 'unknown' };
  throw new Error(`the position of ${position.wallet.name} is still ${status}, not ${statuses.join(' or ')}`);
}

/**
 * Return the position once it has one of the statuses, or null after the deadline.
 *
 * @throws PositionCancelled when it was refunded and that is none of them.
 */
export async function statusWithin(
  { api, printer }: Driver,
  { token, key, wallet }: DemoPosition,
  { statuses, withinMs }: Goal,
): Promise<PositionWire | null> {
  const startMs = Date.now();
  let lastStatus: string | null = null;
  for (let polls = 1; ; polls += 1) {
    const position = await api.positionOfKey(token, key);
    if (position !== null && position.status !== lastStatus)
      printer.line(`position of ${wallet.name} is ${position.status}`);
    lastStatus = position?.status ?? lastStatus;
    if (position !== null && statuses.includes(position.status)) return position;
    if (position?.status === 'cancelled') {
      throw new PositionCancelled(`the position of ${wallet.name} was cancelled: ${failureOf(position)}`);
    }
    if (Date.now() - startMs > withinMs) return null;
    await delay(polls <= quickPolls ? quickPollMs : pollMs);
  }
}

function failureOf({ failure }: PositionWire): string {
  return failure?.reason ?? 'no reason given';
}
