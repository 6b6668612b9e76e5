import type { Lease } from '@core/store';
import { SignatureType } from '@core/vault';
import { type VenueClient, VenueFault } from '@core/venue';
import pino from 'pino';
import { expect, test } from 'vitest';
import { createKeeperMetrics } from '../runner/keeperMetrics.ts';
import { noFailpoint } from './failpoint.ts';
import type { Intents } from './intents.ts';
import { VenueBreaker } from './venueBreaker.ts';
import { type OrderPost, VenueOrders } from './venueOrders.ts';

const orderHash = `0x${'ab'.repeat(32)}` as const;
const refusalFault = new VenueFault({ code: 'credentials_refused', kind: 'frozen', effect: 'no', message: '401' });
const lostAnswer = new VenueFault({ code: 'venue_timeout', kind: 'retryable', effect: 'maybe', message: '504' });

/** A venue that answers posts as it is set to and may have the order, behind a breaker of its own time. */
function setup() {
  let nowMs = 0;
  const venueState: { answer: VenueFault | null; hasOrder: boolean; askedCount: number; postedCount: number } = {
    answer: null,
    hasOrder: false,
    askedCount: 0,
    postedCount: 0,
  };
  const venue = {
    placeOrder: () => {
      venueState.postedCount += 1;
      return venueState.answer === null ? Promise.resolve({ tradeIds: [] }) : Promise.reject(venueState.answer);
    },
    order: () => {
      venueState.askedCount += 1;
      return Promise.resolve(venueState.hasOrder ? { status: 'matched' } : null);
    },
  } as object as VenueClient;
  const intent = { id: 'i', state: 'prepared', orderHash, subject: '0x01', plan: { kind: 'order' }, outcome: null };
  const intents = {
    prepare: () => Promise.resolve({ intent: { ...intent }, isNew: false }),
    change: ({ to }: { readonly to: string }) => {
      intent.state = to;
      return Promise.resolve(true);
    },
  } as object as Intents;
  const logger = pino({ level: 'silent' });
  const metrics = createKeeperMetrics();
  const now = () => nowMs;
  const breaker = new VenueBreaker({ venue, logger, metrics, now });
  const clock = { nowMs: now };
  const orders = new VenueOrders({
    intents,
    venue,
    clock,
    owner: 'keeper',
    failpoint: noFailpoint,
    breaker,
    logger,
    metrics,
    now,
  });
  const post: OrderPost = {
    subject: '0x01',
    venueMarketId: '0xc1',
    operation: 'post_unwind',
    attempt: 1,
    order: { signatureType: SignatureType.Erc1271 } as OrderPost['order'],
    orderHash,
    orderType: 'FOK',
    lease: {} as Lease,
  };
  return {
    venueState,
    breaker,
    orders,
    post: () => orders.post(post),
    advance: (ms: number) => {
      nowMs += ms;
    },
  };
}

test('an order that never reached a refusing venue waits for the breaker and is posted when it closes', async () => {
  const { venueState, breaker, orders, post, advance } = setup();
  venueState.answer = refusalFault;
  await expect(post()).rejects.toBe(refusalFault);
  expect(await post()).toMatchObject({ state: 'prepared' });
  expect(orders.pauseMsOf(orderHash)).toBe(breaker.remainingMs);
  expect(orders.pauseMsOf(orderHash)).toBe(1_000);
  advance(1_000);
  // The probe is answered, so orders are tried again.
  await breaker.probe();
  expect(venueState).toMatchObject({ postedCount: 1, askedCount: 1 });
  venueState.answer = null;
  expect(await post()).toMatchObject({ state: 'broadcast' });
});

test('an order with a lost answer is read while posting is paused, at its own interval', async () => {
  const { venueState, breaker, orders, post, advance } = setup();
  venueState.answer = lostAnswer;
  await expect(post()).rejects.toBe(lostAnswer);
  // Another order meets a venue that refuses us, three times over.
  for (const pauseMs of [1_000, 2_000, 4_000]) {
    const other = { positionKey: '0x02', venueMarketId: '0xc2' };
    await expect(breaker.pass(other, () => Promise.reject(refusalFault))).rejects.toBe(refusalFault);
    expect(breaker.remainingMs).toBe(pauseMs);
    if (pauseMs < 4_000) {
      advance(pauseMs);
      await breaker.probe();
    }
  }
  expect(await post()).toMatchObject({ state: 'prepared' });
  expect(orders.pauseMsOf(orderHash)).toBe(1_000);
  venueState.hasOrder = true;
  expect(await post()).toMatchObject({ state: 'broadcast' });
  expect(venueState.postedCount).toBe(1);
});
