import type { Clock } from '@core/runtime';
import { vaultConstants } from '@core/vault';
import { locks, type Task } from '../runner/task.ts';
import type { Intents } from './intents.ts';
import { isPost, type VenueOrders } from './venueOrders.ts';

/** No order is allowed for longer, and a match that came in time is settled within the rest. */
const outlivedMs = 2 * Math.max(vaultConstants.openOrderWindowSeconds, vaultConstants.saleOrderWindowSeconds) * 1_000;

/**
 * Ends the intents of orders that ran out unobserved: their position ended, or another order took their place. Every
 * intent comes to an end.
 */
export function retireOrdersTask(options: {
  readonly intents: Pick<Intents, 'inStates'>;
  readonly orders: Pick<VenueOrders, 'retire'>;
  readonly clock: Clock;
}): Task {
  const { intents, orders, clock } = options;
  return {
    name: 'retireOrders',
    lock: locks.cleaning,
    intervalMs: 10_000,
    async run() {
      const posted = (await intents.inStates(['prepared', 'broadcast'])).filter(isPost);
      const outlivedAtMs = clock.nowMs() - outlivedMs;
      for (const intent of posted.filter(({ createdAtMs }) => createdAtMs < outlivedAtMs)) {
        await orders.retire(intent);
      }
    },
  };
}
