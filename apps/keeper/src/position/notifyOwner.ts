import { entryOf } from '../ledger/outboxEntries.ts';
import type { KeeperPorts } from '../ports.ts';
import type { PositionSight } from './observePosition.ts';

/** Notification codes of the specification that the keeper raises. */
export type NotificationCode =
  | 'ORDER_FULFILLMENT_RETRYING'
  | 'ORDER_FULFILLMENT_FAILED'
  | 'PARTIAL_OPEN_PROGRESS'
  | 'PARTIAL_OPEN_FLOOR_MISSED';

/** Tells the owner of a position how its opening is going; each code once per attempt. */
export async function notifyOwner(ports: KeeperPorts, sight: PositionSight, code: NotificationCode): Promise<void> {
  const attempt = sight.observation.opening.attemptCount;
  const params = { position_id: sight.record.id, attempt, max_attempts: ports.policy.execution.maxOpenAttempts };
  await ports.store.outbox.append([
    entryOf({
      type: 'notification',
      position: sight.record,
      seed: `${code}:${attempt}`,
      nowMs: ports.clock.nowMs(),
      payload: { code, params },
    }),
  ]);
}
