import type { Wait } from '@core/position';
import type { Lease } from '@core/store';
import { type PostIntent, postOf, type VenueOrders } from '../transactions/venueOrders.ts';
import type { ObservedPosition } from './observePosition.ts';
import { authorizationsOf, orderPostOf } from './orderAuthorizer.ts';

/**
 * Posts an authorised order that did not reach the venue when it was authorised, or asks what became of it. True when
 * the venue has ended it: then there is more to observe. A wait when the venue refuses us: the order is posted when it
 * answers again.
 */
export type FollowOrder = (seen: ObservedPosition, lease: Lease) => Promise<boolean | Wait>;

export interface FollowOptions {
  readonly orders: VenueOrders;
}

export function orderFollower(options: FollowOptions): FollowOrder {
  return async (seen, lease) => {
    const live = seen.chain.liveOrder;
    if (live === null || seen.chain.blockTimeMs > live.validUntilMs) {
      return false;
    }
    const posted = postOf(seen.intents, live.orderHash);
    const intent = posted === null || posted.state === 'prepared' ? await post(options, seen, lease) : posted;
    if (intent === null) {
      return false;
    }
    if (intent.state === 'prepared') {
      const pauseMs = options.orders.pauseMsOf(live.orderHash);
      // The vault allows the order for a time only: what comes then is not to be missed.
      const endsAtMs = Math.min(seen.chain.blockTimeMs + pauseMs, live.validUntilMs + 1_000);
      return { kind: 'wait', reason: 'venue_refuses', untilMs: endsAtMs };
    }
    const { state } = await options.orders.follow(intent);
    return state === 'dropped' || state === 'final';
  };
}

/** Null when the order is none of ours, for example one that another deployment authorised. */
async function post({ orders }: FollowOptions, seen: ObservedPosition, lease: Lease): Promise<PostIntent | null> {
  const liveHash = seen.chain.liveOrder?.orderHash;
  const authorization = authorizationsOf(seen.intents).find(({ orderHash }) => orderHash === liveHash);
  if (authorization === undefined) {
    return null;
  }
  return orders.post(orderPostOf(seen.record.positionKey, authorization, lease));
}
