import type { Lease } from '@core/store';
import type { VenueClient } from '@core/venue';
import { expect, test } from 'vitest';
import { noFailpoint } from './failpoint.ts';
import type { Intent, Intents } from './intents.ts';
import { retireOrdersTask } from './retireOrders.ts';
import { VenueOrders } from './venueOrders.ts';

const nowMs = 1_800_000_000_000;
const lease = {} as Lease;

/** Posts of these ages and states, and a venue that knows the orders it is given. */
async function retiredOf(
  posts: readonly { readonly id: string; readonly ageMs: number; readonly state: string }[],
  known: Readonly<Record<string, readonly string[]>> = {},
) {
  const changes: unknown[] = [];
  const kept = posts.map(({ id, ageMs, state }) => ({
    id,
    operation: 'post_unwind',
    state,
    orderHash: id,
    createdAtMs: nowMs - ageMs,
    plan: { kind: 'order' },
    outcome: null,
  }));
  const intents = {
    inStates: () => Promise.resolve(kept as object[] as Intent[]),
    change: ({ id, to, outcome }: { id: string; to: string; outcome?: unknown }) => {
      changes.push([id, to, outcome]);
      return Promise.resolve(true);
    },
  } as object as Intents;
  const venue = {
    order: (hash: string) => Promise.resolve(hash in known ? { status: 'matched' } : null),
    trades: ({ orderId }: { orderId: string }) =>
      Promise.resolve((known[orderId] ?? []).map((status) => ({ tradeId: 't', status, transactionHash: null }))),
  } as object as VenueClient;
  const clock = { nowMs: () => nowMs };
  // Nothing is posted here, so no breaker is asked.
  const breaker = { isOpen: false, remainingMs: 0, pass: <Result>(post: () => Promise<Result>) => post() };
  const orders = new VenueOrders({ intents, venue, clock, owner: 'keeper', failpoint: noFailpoint, breaker });
  await retireOrdersTask({ intents, orders, clock }).run(lease);
  return changes;
}

const unfilled = { refusal: 'order_not_filled', trades: [] };

test('an order that outlived every window ends as what the venue says of it, or as not filled', async () => {
  expect(
    await retiredOf(
      [
        { id: 'young', ageMs: 240_000, state: 'broadcast' },
        { id: 'unsent', ageMs: 240_001, state: 'prepared' },
        { id: 'unrecorded', ageMs: 240_001, state: 'prepared' },
        { id: 'unknown', ageMs: 240_001, state: 'broadcast' },
        { id: 'matched', ageMs: 240_001, state: 'broadcast' },
        { id: 'unsettled', ageMs: 240_001, state: 'broadcast' },
      ],
      { unrecorded: ['CONFIRMED'], matched: ['CONFIRMED'], unsettled: ['RETRYING'] },
    ),
  ).toEqual([
    ['unsent', 'dropped', unfilled],
    ['unrecorded', 'broadcast', undefined],
    ['unrecorded', 'final', { refusal: null, trades: [{ tradeId: 't', status: 'CONFIRMED', transactionHash: null }] }],
    ['unknown', 'dropped', unfilled],
    ['matched', 'final', { refusal: null, trades: [{ tradeId: 't', status: 'CONFIRMED', transactionHash: null }] }],
    ['unsettled', 'dropped', unfilled],
  ]);
});
