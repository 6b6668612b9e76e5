import type { Clock } from '@core/runtime';
import { vaultConstants } from '@core/vault';
import type { Logger } from 'pino';
import { IsolatedItems } from '../runner/isolatedItems.ts';
import type { KeeperMetrics } from '../runner/keeperMetrics.ts';
import { locks, type Task } from '../runner/task.ts';
import type { Intents } from './intents.ts';
import { isPost, type PostIntent, type VenueOrders } from './venueOrders.ts';

/** Return the maximum life of an order: its window, and the same again for the settlement of a late match. */
function maxLifeMsOf({ operation }: PostIntent): number {
  const { openOrderWindowSeconds, saleOrderWindowSeconds } = vaultConstants;
  return 2_000 * (operation === 'post_open' ? openOrderWindowSeconds : saleOrderWindowSeconds);
}

export interface RetireOptions {
  readonly intents: Pick<Intents, 'inStates'>;
  readonly orders: Pick<VenueOrders, 'retire'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<KeeperMetrics, 'itemFailures' | 'failingItems'>;
}

/**
 * End the intents of orders that expired unobserved: their position ended, or another order replaced them. Every intent
 * ends.
 */
export function retireOrdersTask({ intents, orders, clock, logger, metrics }: RetireOptions): Task {
  const retiring = new IsolatedItems({ name: 'retireOrders', logger, metrics });
  return {
    name: 'retireOrders',
    lock: locks.cleaning,
    intervalMs: 10_000,
    async run() {
      const posted = (await intents.inStates(['prepared', 'broadcast'])).filter(isPost);
      const nowMs = clock.nowMs();
      const expiredPosts = posted.filter((intent) => intent.createdAtMs + maxLifeMsOf(intent) < nowMs);
      await retiring.serve(
        expiredPosts,
        ({ id }) => id,
        async (intent) => {
          await orders.retire(intent);
          return true;
        },
      );
    },
  };
}
