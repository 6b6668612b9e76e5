import type { Lease } from '@core/store';
import type { VenueClient } from '@core/venue';
import pino from 'pino';
import { expect, test } from 'vitest';
import { createKeeperMetrics } from '../runner/keeperMetrics.ts';
import { noFailpoint } from './failpoint.ts';
import type { Intent, Intents } from './intents.ts';
import { retireOrdersTask } from './retireOrders.ts';
import { VenueOrders } from './venueOrders.ts';

const nowMs = 1_800_000_000_000;
const lease = {} as Lease;

/** Posts of these ages and states, and a venue that knows the orders it is given. */
async function retiredOf(
  posts: readonly {
    readonly id: string;
    readonly ageMs: number;
    readonly state: string;
    readonly operation?: string;
  }[],
  known: Readonly<Record<string, readonly string[]>> = {},
) {
  const changes: unknown[] = [];
  const rows = posts.map(({ id, ageMs, state, operation = 'post_unwind' }) => ({
    id,
    operation,
    state,
    orderHash: id,
    createdAtMs: nowMs - ageMs,
    plan: { kind: 'order' },
    outcome: null,
  }));
  const intents = {
    inStates: () => Promise.resolve(rows as object[] as Intent[]),
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
  const logger = pino({ level: 'silent' });
  const metrics = createKeeperMetrics();
  // Nothing is posted here, so no breaker is asked.
  const breaker = {
    isOpen: false,
    remainingMs: 0,
    pass: <Result>(_order: object, post: () => Promise<Result>) => post(),
  };
  const orders = new VenueOrders({
    intents,
    venue,
    clock,
    owner: 'keeper',
    failpoint: noFailpoint,
    breaker,
    logger,
    metrics,
  });
  await retireOrdersTask({ intents, orders, clock, logger, metrics }).run(lease);
  return changes;
}

const unfilled = { refusal: 'order_not_filled', trades: [] };

test('retire: an order past every window → ends with its status at the venue, or as not filled', async () => {
  expect(
    await retiredOf(
      [
        { id: 'young', ageMs: 120_000, state: 'broadcast' },
        { id: 'unsent', ageMs: 120_001, state: 'prepared' },
        { id: 'unrecorded', ageMs: 120_001, state: 'prepared' },
        { id: 'unknown', ageMs: 120_001, state: 'broadcast' },
        { id: 'matched', ageMs: 120_001, state: 'broadcast' },
        { id: 'unsettled', ageMs: 120_001, state: 'broadcast' },
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

test('retire: the order of an opening has a longer window than that of a sale', async () => {
  const opening = { operation: 'post_open', state: 'broadcast' };
  expect(
    await retiredOf([
      { ...opening, id: 'young', ageMs: 240_000 },
      { ...opening, id: 'old', ageMs: 240_001 },
    ]),
  ).toEqual([['old', 'dropped', unfilled]]);
});
