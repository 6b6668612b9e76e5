import { pricePips } from '@core/pricing';
import { describe, expect, test } from 'vitest';
import {
  book,
  closeAt,
  decideOn,
  isBookRead,
  live,
  nowMs,
  open,
  pending,
  tokens,
  unwindAdvice,
  usdc,
} from '../../testing/observations.ts';
import { sampleExecution } from '../../testing/sampleExecution.ts';
import type { PositionAction } from './positionAction.ts';
import type { BookedObservation, LiveBook } from './positionObservation.ts';
import type { UnwindAdvice } from './unwindAdvice.ts';
import type { UnwindRefusal } from './unwindRetry.ts';

/** The decided action, if any. */
const decide = (observation: BookedObservation): readonly PositionAction[] => {
  const decision = decideOn(observation);
  return decision.kind === 'act' ? [decision.action] : [];
};
const waitOf = (observation: BookedObservation) => {
  const decision = decideOn(observation);
  return decision.kind === 'wait' ? [decision.reason, decision.untilMs] : null;
};
const only = (observation: BookedObservation) =>
  decide(observation).map((action) => (action.kind === 'order' ? `order_${action.purpose}` : action.kind));

describe('opening', () => {
  test('the first attempt is one FOK for the whole notional', () => {
    expect(decide(pending())).toEqual([
      {
        kind: 'order',
        purpose: 'open',
        orderType: 'FOK',
        tokenUnits: tokens(200),
        attempt: 1,
        retryAtMs: null,
        progress: null,
        bounds: {
          dueUsdcUnits: usdc(100),
          openUsdcUnits: usdc(100),
          notionalUsdcUnits: usdc(100),
          minPositionTokenUnits: tokens(190),
          venueFeeLeftUsdcUnits: usdc(3),
          tickPricePips: pricePips(100n),
        },
      },
    ]);
  });

  test('a live order is awaited until the venue or its time ends it', () => {
    expect(only({ ...pending({ attemptCount: 1 }), liveOrder: live })).toEqual([]);
    expect(
      only({
        ...pending({ attemptCount: 1, lastAttemptAtMs: nowMs - 120_000 }),
        liveOrder: { ...live, validUntilMs: nowMs - 1 },
      }),
    ).toEqual(['order_open']);
  });

  test('an order whose time is over is replaced within five seconds or ended with what it brought', () => {
    const late = (lateMs: number, filled: number, opening: Partial<BookedObservation['opening']> = {}) =>
      only({
        ...pending({ attemptCount: 1, lastAttemptAtMs: nowMs - lateMs - 60_000, ...opening }),
        liveOrder: { ...live, validUntilMs: nowMs - lateMs, filledUsdcUnits: usdc(filled) },
      });
    expect(late(5_000, 0)).toEqual(['order_open']);
    expect(late(5_001, 0)).toEqual(['refund']);
    // A try after the end that came to nothing is no reason to leave the allowance on.
    expect(late(5_001, 0, { attemptCount: 2, lastAttemptAtMs: nowMs - 1_000 })).toEqual(['refund']);
    expect(late(1, 100)).toEqual(['finalize']);
    const partial = { allowPartialFill: true, floorUsdcUnits: usdc(30) };
    expect(late(5_000, 40, partial)).toEqual(['order_open']);
    expect(late(5_001, 40, partial)).toEqual(['finalize']);
  });

  test('a killed order is tried again after five seconds, three times in all, then refunded', () => {
    const killed = { ...live, isTerminalAtVenue: true };
    const after = (attemptCount: number, agoMs: number) =>
      only({ ...pending({ attemptCount, lastAttemptAtMs: nowMs - agoMs }), liveOrder: killed });
    expect(after(1, 4_999)).toEqual([]);
    expect(after(1, 5_000)).toEqual(['order_open']);
    expect(after(2, 5_000)).toEqual(['order_open']);
    expect(decide({ ...pending({ attemptCount: 3, lastAttemptAtMs: nowMs }), liveOrder: killed })).toMatchObject([
      { kind: 'refund', reason: 'order_not_filled' },
    ]);
  });

  test('any fill of an atomic order opens the position', () => {
    expect(
      only({
        ...pending({ attemptCount: 1 }),
        liveOrder: { ...live, isTerminalAtVenue: true, filledUsdcUnits: usdc(100) },
      }),
    ).toEqual(['finalize']);
  });

  test('a partial opening takes its floor, then the rest until complete or out of time', () => {
    const partial = {
      allowPartialFill: true,
      floorUsdcUnits: usdc(30),
      attemptCount: 1,
      lastAttemptAtMs: nowMs - 6_000,
    };
    expect(decide(pending({ ...partial, attemptCount: 0, lastAttemptAtMs: null }))).toMatchObject([
      { orderType: 'FOK', bounds: { dueUsdcUnits: usdc(30), openUsdcUnits: usdc(100) } },
    ]);
    expect(decide(pending({ ...partial, filledUsdcUnits: usdc(30) }))).toMatchObject([
      { orderType: 'FAK', bounds: { dueUsdcUnits: usdc(70), openUsdcUnits: usdc(70) }, attempt: 2 },
    ]);
    expect(only(pending({ ...partial, filledUsdcUnits: usdc(30), lastAttemptAtMs: nowMs - 4_999 }))).toEqual([]);
    expect(only(pending({ ...partial, filledUsdcUnits: usdc(99) }))).toEqual(['finalize']);
    expect(only(pending({ ...partial, filledUsdcUnits: usdc(30), windowEndsAtMs: nowMs }))).toEqual(['finalize']);
    const last = pending({ ...partial, filledUsdcUnits: usdc(30), attemptCount: 2 });
    expect(decideOn(last, { ...sampleExecution, maxPartialAttempts: 3 })).toMatchObject({
      kind: 'act',
      action: { kind: 'order' },
    });
    expect(decideOn(last, { ...sampleExecution, maxPartialAttempts: 2 })).toMatchObject({
      kind: 'act',
      action: { kind: 'finalize' },
    });
    expect(decide(pending({ ...partial, attemptCount: 3 }))).toMatchObject([{ reason: 'floor_missed' }]);
  });

  test('an attempt without asks counts; later ones say how the opening goes', () => {
    const { asks: _, ...bidsOnly } = book;
    for (const empty of [null, { ...bidsOnly, asks: [] }]) {
      expect(decide({ ...pending({ attemptCount: 1 }), book: empty })).toEqual([
        { kind: 'record_miss', attempt: 2, reason: 'book_empty' },
      ]);
    }
    expect(decide(pending({ attemptCount: 1 }))).toMatchObject([{ progress: 'ORDER_FULFILLMENT_RETRYING' }]);
    const filling = pending({ attemptCount: 1, allowPartialFill: true, filledUsdcUnits: usdc(30), hasTokens: true });
    expect(decide(filling)).toMatchObject([{ progress: 'PARTIAL_OPEN_PROGRESS' }]);
  });

  test('a wait says when to look again', () => {
    expect(waitOf(pending({ attemptCount: 1, lastAttemptAtMs: nowMs - 4_000 }))).toEqual([
      'retry_delay',
      nowMs + 1_000,
    ]);
    expect(waitOf({ ...pending({ attemptCount: 1 }), liveOrder: live })).toEqual(['order_alive', nowMs + 1_000]);
  });

  test.each([
    [60_000, 5_000],
    [3_000, 3_000],
    [200, 1_000],
  ])('a grant that ends in %i ms is read again after %i ms: the chain announces a fill', (restMs, waitMs) => {
    const liveOrder = { ...live, isGrant: true, validUntilMs: nowMs + restMs };
    expect(waitOf({ ...pending({ attemptCount: 1 }), liveOrder })).toEqual(['order_alive', nowMs + waitMs]);
  });

  test('a cancelled, late or resolved opening is refunded with its reason', () => {
    expect(decide(pending({ isCancelRequested: true }))).toMatchObject([{ kind: 'refund', reason: null }]);
    expect(decide(pending({ windowEndsAtMs: nowMs }))).toMatchObject([{ reason: 'order_not_filled' }]);
    expect(decide({ ...pending(), isMarketTradable: false })).toMatchObject([{ reason: 'market_resolved' }]);
    const part = { allowPartialFill: true, attemptCount: 3 };
    expect(decide(pending({ ...part, unfilledReason: 'price_moved' }))).toMatchObject([{ reason: 'floor_missed' }]);
    const unhealthy = 'liquidation_price_too_high';
    expect(decide(pending({ ...part, unfilledReason: unhealthy }))).toMatchObject([{ reason: unhealthy }]);
    const ghost = pending({ attemptCount: 3, unfilledReason: 'ghost_fill' });
    expect(decide({ ...ghost, callCounts: { finalize: 0, refund: 1, settle: 0 } })).toEqual([
      { kind: 'refund', reason: 'ghost_fill', attempt: 2 },
    ]);
  });

  test('an opening without a stored quote is refunded, or ended with what it has; a finished one is left alone', () => {
    expect(decide({ ...pending(), isKnownQuote: false })).toMatchObject([
      { kind: 'refund', reason: 'order_not_allowed' },
    ]);
    for (const state of ['none', 'closed', 'settled', 'liquidated', 'cancelled', 'reverted'] as const) {
      expect(only({ ...pending(), state, isKnownQuote: false })).toEqual([]);
    }
  });
});

describe('closing', () => {
  test('an open position without a request: no action', () => {
    expect(only(open())).toEqual([]);
    expect(only(open({ requestedTokenUnits: tokens(0) }))).toEqual([]);
  });

  test('a request is sold, at most what is held', () => {
    expect(decide(open({ requestedTokenUnits: tokens(200), minPricePips: pricePips(4_000n) }))).toMatchObject([
      { purpose: 'close', tokenUnits: tokens(150), bounds: { minPricePips: pricePips(4_000n) }, attempt: 1 },
    ]);
    expect(only(open({ requestedTokenUnits: tokens(50), attempts: [closeAt(nowMs - 4_999)] }))).toEqual([]);
  });

  test('a grant counts on bids inside the band of the vault, which is wider for a user with a price', () => {
    const bids = [{ pricePips: pricePips(4_600n), sizeTokenUnits: tokens(1_000) }];
    const closeFloors = { pricedPips: pricePips(4_060n), unpricedPips: pricePips(4_802n) };
    const closing = (minPips: bigint, floors: LiveBook['closeFloors'] = closeFloors) => {
      const request = open({ requestedTokenUnits: tokens(50), minPricePips: pricePips(minPips) });
      return only({ ...request, book: { ...book, bids, closeFloors: floors } });
    };
    expect([closing(4_000n), closing(4_600n), closing(4_601n), closing(0n)]).toEqual([
      ['order_close'],
      ['order_close'],
      [],
      [],
    ]);
    expect(closing(4_000n, { ...closeFloors, pricedPips: pricePips(4_601n) })).toEqual([]);
  });

  test('a request that the bids do not take, or that was just tried on such a book, is checked again', () => {
    const closing = open({ requestedTokenUnits: tokens(50) });
    expect(waitOf({ ...closing, book: null })).toEqual(['book_too_thin', nowMs + 5_000]);
    expect(waitOf({ ...closing, book: { ...book, bids: [] } })).toEqual(['book_too_thin', nowMs + 5_000]);
    const tried = [closeAt(nowMs - 12_000), closeAt(nowMs - 6_000)];
    expect(waitOf(open({ requestedTokenUnits: tokens(50), attempts: tried }))).toEqual(['retry_later', nowMs + 5_000]);
    const later = [closeAt(nowMs - 20_000), closeAt(nowMs - 10_000)];
    // Of all orders so far only the last ones are read.
    expect(decide(open({ requestedTokenUnits: tokens(50), attemptCount: 70, attempts: later }))).toMatchObject([
      { attempt: 71, retryAtMs: nowMs + 5_000, serves: closeAt(nowMs) },
    ]);
  });

  test('an order of an open position is booked as soon as its time is over, with a request or without', () => {
    const sale = { ...live, purpose: 'close' } as const;
    const at = (validUntilMs: number, requested: number | null) =>
      only({
        ...open({ requestedTokenUnits: requested === null ? null : tokens(requested), attempts: [closeAt(nowMs)] }),
        liveOrder: { ...sale, validUntilMs },
      });
    expect(at(nowMs, 50)).toEqual([]);
    expect(at(nowMs - 1, 50)).toEqual(['finalize']);
    expect(at(nowMs - 1, null)).toEqual(['finalize']);
  });

  test('an ended order is booked before anything else', () => {
    const ended = { ...live, purpose: 'close', isTerminalAtVenue: true } as const;
    expect(decide({ ...open({ requestedTokenUnits: tokens(50) }), liveOrder: ended })).toMatchObject([
      { kind: 'finalize', purpose: 'close' },
    ]);
  });

  test('a close that meets a resolved market is deferred once, then settled', () => {
    const resolved = { ...open({ requestedTokenUnits: tokens(50) }), isMarketTradable: false };
    expect(only(resolved)).toEqual(['defer_close']);
    expect(only({ ...resolved, closing: { ...resolved.closing, isDeferred: true } })).toEqual([]);
    expect(only({ ...resolved, arePayoutsKnown: true })).toEqual(['settle']);
  });
});

describe('liquidation', () => {
  const due = (liquidation: Partial<BookedObservation['liquidation']> = {}): BookedObservation => ({
    ...open({ requestedTokenUnits: tokens(50) }),
    liquidation: { isDue: true, attemptCount: 0, lastAttemptAtMs: null, ...liquidation },
  });

  test('everything that is held is sold, whatever the user asked for', () => {
    expect(decide(due())).toEqual([
      {
        kind: 'order',
        purpose: 'liquidate',
        orderType: 'FAK',
        tokenUnits: tokens(150),
        attempt: 1,
        retryAtMs: nowMs + 2_000,
        bounds: {
          tokenUnits: tokens(150),
          heldTokenUnits: tokens(150),
          minPricePips: pricePips(0n),
          tickPricePips: pricePips(100n),
        },
      },
    ]);
  });

  test('bids count down to the floor of a forced sale; without one, or without bids, it is checked again', () => {
    const thin = { ...book, bids: book.bids.map((bid) => ({ ...bid, sizeTokenUnits: tokens(40) })) };
    expect(decide({ ...due(), book: thin })).toMatchObject([{ tokenUnits: tokens(40) }]);
    const low = { ...thin, saleFloorPricePips: pricePips(4_901n) };
    expect(waitOf({ ...due(), book: low })).toEqual(['book_too_thin', nowMs + 2_000]);
    expect(waitOf({ ...due(), book: { ...book, saleFloorPricePips: null } })).toEqual([
      'book_one_sided',
      nowMs + 2_000,
    ]);
    expect(waitOf({ ...due(), book: null })).toEqual(['book_one_sided', nowMs + 2_000]);
  });

  test('what an order left is sold two seconds after it', () => {
    expect(only(due({ attemptCount: 1, lastAttemptAtMs: nowMs - 1_999 }))).toEqual([]);
    expect(decide(due({ attemptCount: 1, lastAttemptAtMs: nowMs - 2_000 }))).toMatchObject([
      { purpose: 'liquidate', attempt: 2 },
    ]);
  });

  test('a live order is waited for and booked first; payouts and a closed market come before it', () => {
    const order = { ...live, purpose: 'liquidate' } as const;
    expect(only({ ...due({ attemptCount: 3 }), liveOrder: order })).toEqual([]);
    const ended = { ...due({ attemptCount: 3 }), liveOrder: { ...order, isTerminalAtVenue: true } };
    expect(decide({ ...ended, callCounts: { finalize: 2, refund: 0, settle: 0 } })).toEqual([
      { kind: 'finalize', purpose: 'liquidate', attempt: 3 },
    ]);
    expect(only({ ...due(), arePayoutsKnown: true })).toEqual(['settle']);
    expect(only({ ...due(), isMarketTradable: false })).toEqual(['defer_close']);
  });
});

describe('an unwind', () => {
  const advised = (advice: UnwindAdvice, refusal: UnwindRefusal | null = null) => ({
    unwind: { advice, attemptCount: 2, refusal },
  });
  const owing = { ...open(), ...advised(unwindAdvice) };

  test('sells what the policy says, before what the user asked for and after a liquidation', () => {
    const decided = decideOn(owing);
    expect(decided).toMatchObject({
      action: {
        purpose: 'unwind',
        orderType: 'FOK',
        attempt: 3,
        tokenUnits: tokens(120),
        reason: 'price_drop_moderate',
        rung: null,
        isHardExit: false,
        retryAtMs: nowMs + 1_000,
      },
    });
    // Nothing else is read: the policy knows the book.
    expect(isBookRead(owing)).toBe(false);
    const closing = { ...open({ requestedTokenUnits: tokens(50) }), ...advised(unwindAdvice) };
    expect(decideOn(closing)).toEqual(decided);
    const liquidation = { isDue: true, attemptCount: 0, lastAttemptAtMs: null };
    expect(decideOn({ ...owing, liquidation })).toMatchObject({
      action: { purpose: 'liquidate' },
    });
    expect(decideOn({ ...owing, isMarketTradable: false }).kind).toBe('wait');
  });

  test('a waiting unwind has a reason and a time, and blocks no close', () => {
    const untilMs = nowMs + 1_000;
    const advice = { kind: 'wait', reason: 'bids_missing', untilMs, isAlert: false } as const;
    const waiting = { ...open(), ...advised(advice) };
    expect(decideOn(waiting)).toEqual({ kind: 'wait', reason: 'bids_missing', untilMs });
    const closing = { ...open({ requestedTokenUnits: tokens(50) }), ...advised(advice) };
    expect(decideOn(closing)).toMatchObject({
      action: { purpose: 'close', retryAtMs: untilMs },
    });
    // A close that waits as well does not put the unwind off.
    expect(decideOn({ ...closing, book: null })).toEqual({
      kind: 'wait',
      reason: 'bids_missing',
      untilMs,
    });
    const tried = open({ requestedTokenUnits: tokens(50), attempts: [closeAt(nowMs)] });
    expect(decideOn({ ...tried, ...advised(advice) })).toMatchObject({ untilMs });
  });

  test('a refused unwind yields to a close, and is requested again later', () => {
    const sale = { rung: null, isHardExit: false };
    const refusal = { atMs: nowMs, reason: 'not_due', sale, lastingCount: 3 };
    const closing = { ...open({ requestedTokenUnits: tokens(50) }), ...advised(unwindAdvice, refusal) };
    expect(decideOn(closing)).toMatchObject({ action: { purpose: 'close' } });
    expect(waitOf({ ...open(), ...advised(unwindAdvice, refusal) })).toEqual(['not_due', nowMs + 4_000]);
    expect(waitOf({ ...closing, book: null })).toEqual(['not_due', nowMs + 4_000]);
    const earlier = { ...refusal, atMs: nowMs - 4_000 };
    expect(decide({ ...closing, ...advised(unwindAdvice, earlier) })).toMatchObject([{ purpose: 'unwind' }]);
  });
});
