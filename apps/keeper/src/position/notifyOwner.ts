import { entryOf } from '../ledger/outboxEntries.ts';
import type { KeeperPorts } from '../ports.ts';
import type { PositionSight } from './observePosition.ts';

/** What the specification's notifications say of an opening that goes on. Its failure is told with the refund's event. */
export type ProgressCode = 'ORDER_FULFILLMENT_RETRYING' | 'PARTIAL_OPEN_PROGRESS';

/** Tells the owner of a position how its opening is going; each code once per attempt. */
export async function notifyOwner(ports: KeeperPorts, sight: PositionSight, code: ProgressCode): Promise<void> {
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
