import { setTimeout as delay } from 'node:timers/promises';
import type { PositionWire } from '@core/wire';
import type { DemoPosition, Driver } from './driver.ts';

const patienceMs = 90_000;
const pollMs = 1_500;

/** The statuses of a position that has ended with a result. */
export const endedStatuses = ['closed', 'settled', 'liquidated'] as const;

/** What a position is followed to. */
interface Goal {
  readonly statuses: readonly PositionWire['status'][];
  readonly withinMs: number;
}

/** A position was given back to its user before it was filled. */
export class PositionCancelled extends Error {
  override readonly name = 'PositionCancelled';
}

/** Polls the service until the position has one of the statuses. @throws Error when it does not get there in time. */
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
 * The position once it has one of the statuses; null when it did not get there in time.
 * @throws PositionCancelled when it was given back and that is none of them.
 */
export async function statusWithin(
  { api, printer }: Driver,
  { token, key, wallet }: DemoPosition,
  { statuses, withinMs }: Goal,
): Promise<PositionWire | null> {
  const startMs = Date.now();
  let seen: string | null = null;
  for (;;) {
    const position = await api.positionOfKey(token, key);
    if (position !== null && position.status !== seen) printer.line(`position of ${wallet.name} is ${position.status}`);
    seen = position?.status ?? seen;
    if (position !== null && statuses.includes(position.status)) return position;
    if (position?.status === 'cancelled') {
      throw new PositionCancelled(`the position of ${wallet.name} was cancelled: ${failureOf(position)}`);
    }
    if (Date.now() - startMs > withinMs) return null;
    await delay(pollMs);
  }
}

function failureOf({ failure }: PositionWire): string {
  return failure?.reason ?? 'no reason given';
}
