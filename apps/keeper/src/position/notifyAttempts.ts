import { entryOf } from '../ledger/outboxEntries.ts';
import type { KeeperPorts } from '../ports.ts';
import type { PositionSight } from './observePosition.ts';

/** Tells the owner that an opening that was not filled is tried again; each attempt once. */
export async function notifyAttempts(ports: KeeperPorts, sight: PositionSight): Promise<void> {
  const { attemptCount } = sight.observation.opening;
  if (attemptCount === 0) {
    return;
  }
  const params = {
    position_id: sight.record.id,
    attempt: attemptCount + 1,
    attempts: ports.policy.execution.maxOpenAttempts,
  };
  await ports.store.outbox.append([
    entryOf({
      type: 'notification',
      position: sight.record,
      seed: `retrying:${attemptCount}`,
      nowMs: ports.clock.nowMs(),
      payload: { code: 'ORDER_FULFILLMENT_RETRYING', params },
    }),
  ]);
}
