import type { Lease } from '@core/store';
import { SignatureType } from '@core/vault';
import type { VenueClient, VenueFault } from '@core/venue';
import pino from 'pino';
import type { Hex } from 'viem';
import { createKeeperMetrics } from '../src/runner/keeperMetrics.ts';
import { noFailpoint } from '../src/transactions/failpoint.ts';
import type { Intents } from '../src/transactions/intents.ts';
import { VenueBreaker } from '../src/transactions/venueBreaker.ts';
import { type PostIntent, VenueOrders } from '../src/transactions/venueOrders.ts';

/** Order of one position, named by number. */
export interface PostedOrder {
  readonly position: number;
  /** Its market, also by number; that of the position by default. */
  readonly market?: number;
}

/** Answer to the POST of an order: a fault, or null when it is taken. */
export type Answer = (position: number) => VenueFault | null;

const hashOf = (position: number): Hex => `0x${position.toString(16).padStart(64, '0')}`;

/** Orders, breaker and metrics of a keeper on a clock of their own, before a venue that answers as the test says. */
export function startOrderClient(answer: Answer) {
  let nowMs = 0;
  const state = { answer, posts: [] as number[], known: new Map<string, object>() };
  const venue = {
    placeOrder: ({ order }: { readonly order: { readonly salt: bigint } }) => {
      const position = Number(order.salt);
      state.posts.push(position);
      const fault = state.answer(position);
      if (fault !== null) return Promise.reject(fault);
      state.known.set(hashOf(position), { status: 'matched' });
      return Promise.resolve({ tradeIds: [] });
    },
    order: (hash: string) => Promise.resolve(state.known.get(hash) ?? null),
    trades: () => Promise.resolve([]),
  } as object as VenueClient;
  const postsByHash = new Map<string, PostIntent>();
  const intents = {
    prepare: ({ subject, orderHash }: { readonly subject: string; readonly orderHash: Hex }) => {
      const intent = postsByHash.get(orderHash) ?? {
        id: orderHash,
        subject,
        state: 'prepared',
        orderHash,
        outcome: null,
      };
      postsByHash.set(orderHash, intent as PostIntent);
      return Promise.resolve({ intent, isNew: false });
    },
    change: ({ id, to, outcome = null }: { readonly id: string; readonly to: string; readonly outcome?: unknown }) => {
      postsByHash.set(id, { ...postsByHash.get(id), state: to, outcome } as PostIntent);
      return Promise.resolve(true);
    },
  } as object as Intents;
  const now = () => nowMs;
  const logger = pino({ level: 'silent' });
  const metrics = createKeeperMetrics();
  const breaker = new VenueBreaker({ venue, logger, metrics, now });
  const own = { owner: 'keeper', failpoint: noFailpoint, breaker, logger, metrics, now };
  const orders = new VenueOrders({ intents, venue, clock: { nowMs: now }, ...own });
  return {
    breaker,
    metrics,
    state,
    /** Post an order, or continue an earlier post; return the fault where there is one. */
    post: ({ position, market = position }: PostedOrder): Promise<PostIntent | VenueFault> =>
      orders
        .post({
          subject: `0x${position}`,
          venueMarketId: `market ${market}`,
          operation: 'post_close',
          attempt: 1,
          order: { salt: BigInt(position), signatureType: SignatureType.Erc1271 } as never,
          orderHash: hashOf(position),
          orderType: 'FOK',
          lease: {} as Lease,
        })
        .catch((fault: VenueFault) => fault),
    follow: async (position: number) => {
      const intent = postsByHash.get(hashOf(position));
      return intent === undefined ? null : orders.follow(intent);
    },
    pauseMsOf: (position: number) => orders.pauseMsOf(hashOf(position)),
    /** Makes the venue know an order that it refused in words. */
    show: (position: number, order: object) => state.known.set(hashOf(position), order),
    advance: (ms: number) => {
      nowMs += ms;
    },
  };
}
