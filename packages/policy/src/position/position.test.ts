import { pricePips, tokenUnits, usdcUnits } from '@core/pricing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import readTransitions from '../../testing/positionTransitions.json' with { type: 'json' };
import { decidePositionAction } from './decidePositionAction.ts';
import type { PositionAction, PositionObservation } from './positionAction.ts';
import {
  closeReasonOf,
  isLegalTransition,
  isTerminal,
  type PositionStateName,
  positionStates,
  positionStatusOf,
  positionTransitions,
} from './transitions.ts';

const nowMs = 1_800_000_000_000;
const key = '0xabc';
const usdc = (whole: number) => usdcUnits(BigInt(whole) * 1_000_000n);
const tokens = (whole: number) => tokenUnits(BigInt(whole) * 1_000_000n);

function pending(overrides: Partial<PositionObservation['opening']> = {}): PositionObservation {
  return {
    nowMs,
    positionKey: key,
    state: 'pending',
    isKnownQuote: true,
    liveOrder: null,
    isMarketTradable: true,
    arePayoutsKnown: false,
    opening: {
      isCancelRequested: false,
      windowEndsAtMs: nowMs + 300_000,
      allowPartialFill: false,
      notionalUsdcUnits: usdc(100),
      floorUsdcUnits: usdc(100),
      filledUsdcUnits: usdc(0),
      attemptCount: 0,
      lastAttemptAtMs: null,
      ...overrides,
    },
    closing: {
      heldTokenUnits: tokens(0),
      requestedTokenUnits: null,
      minPricePips: pricePips(0n),
      attemptCount: 0,
      lastAttemptAtMs: null,
      isDeferred: false,
    },
    liquidation: { isDue: false, attemptCount: 0, lastAttemptAtMs: null },
  };
}

function open(overrides: Partial<PositionObservation['closing']> = {}): PositionObservation {
  const seen = pending();
  return { ...seen, state: 'open', closing: { ...seen.closing, heldTokenUnits: tokens(150), ...overrides } };
}

const live = {
  purpose: 'open',
  validUntilMs: nowMs + 60_000,
  isTerminalAtVenue: false,
  filledUsdcUnits: usdc(0),
} as const;
const only = (seen: PositionObservation) => decidePositionAction(seen).map(({ kind }) => kind);

describe('opening', () => {
  test('the first attempt is one FOK for the whole notional', () => {
    expect(decidePositionAction(pending())).toEqual([
      {
        kind: 'authorize_open',
        orderType: 'FOK',
        notionalUsdcUnits: usdc(100),
        attempt: 1,
        positionKey: key,
        idempotencyKey: `${key}:open:1`,
      },
    ]);
  });

  test('a live order is waited for until the venue or its time ends it', () => {
    expect(only({ ...pending({ attemptCount: 1 }), liveOrder: live })).toEqual([]);
    expect(
      only({
        ...pending({ attemptCount: 1, lastAttemptAtMs: nowMs - 120_000 }),
        liveOrder: { ...live, validUntilMs: nowMs - 1 },
      }),
    ).toEqual(['authorize_open']);
  });

  test('an order whose time is over is replaced within five seconds or ended with what it brought', () => {
    const late = (lateMs: number, filled: number, opening: Partial<PositionObservation['opening']> = {}) =>
      only({
        ...pending({ attemptCount: 1, lastAttemptAtMs: nowMs - lateMs - 60_000, ...opening }),
        liveOrder: { ...live, validUntilMs: nowMs - lateMs, filledUsdcUnits: usdc(filled) },
      });
    expect(late(5_000, 0)).toEqual(['authorize_open']);
    expect(late(5_001, 0)).toEqual(['refund']);
    // A try after the end that came to nothing is no reason to leave the allowance on.
    expect(late(5_001, 0, { attemptCount: 2, lastAttemptAtMs: nowMs - 1_000 })).toEqual(['refund']);
    expect(late(1, 100)).toEqual(['finalize']);
    const partial = { allowPartialFill: true, floorUsdcUnits: usdc(30) };
    expect(late(5_000, 40, partial)).toEqual(['authorize_open']);
    expect(late(5_001, 40, partial)).toEqual(['finalize']);
  });

  test('a killed order is tried again after five seconds, three times in all, then refunded', () => {
    const killed = { ...live, isTerminalAtVenue: true };
    const after = (attemptCount: number, agoMs: number) =>
      only({ ...pending({ attemptCount, lastAttemptAtMs: nowMs - agoMs }), liveOrder: killed });
    expect(after(1, 4_999)).toEqual([]);
    expect(after(1, 5_000)).toEqual(['authorize_open']);
    expect(after(2, 5_000)).toEqual(['authorize_open']);
    expect(
      decidePositionAction({ ...pending({ attemptCount: 3, lastAttemptAtMs: nowMs }), liveOrder: killed }),
    ).toMatchObject([{ kind: 'refund', reason: 'order_not_filled' }]);
  });

  test('whatever filled of an atomic order opens', () => {
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
    expect(decidePositionAction(pending({ ...partial, attemptCount: 0, lastAttemptAtMs: null }))).toMatchObject([
      { orderType: 'FOK', notionalUsdcUnits: usdc(30) },
    ]);
    expect(decidePositionAction(pending({ ...partial, filledUsdcUnits: usdc(30) }))).toMatchObject([
      { orderType: 'FAK', notionalUsdcUnits: usdc(70), attempt: 2 },
    ]);
    expect(only(pending({ ...partial, filledUsdcUnits: usdc(30), lastAttemptAtMs: nowMs - 4_999 }))).toEqual([]);
    expect(only(pending({ ...partial, filledUsdcUnits: usdc(99) }))).toEqual(['finalize']);
    expect(only(pending({ ...partial, filledUsdcUnits: usdc(30), windowEndsAtMs: nowMs }))).toEqual(['finalize']);
    expect(decidePositionAction(pending({ ...partial, attemptCount: 3 }))).toMatchObject([{ reason: 'floor_missed' }]);
  });

  test('a cancelled, late or resolved opening is refunded with its reason', () => {
    expect(decidePositionAction(pending({ isCancelRequested: true }))).toMatchObject([
      { kind: 'refund', reason: null },
    ]);
    expect(decidePositionAction(pending({ windowEndsAtMs: nowMs }))).toMatchObject([{ reason: 'order_not_filled' }]);
    expect(decidePositionAction({ ...pending(), isMarketTradable: false })).toMatchObject([
      { reason: 'market_resolved' },
    ]);
  });

  test('a position without a stored quote is frozen, a finished one left alone', () => {
    expect(decidePositionAction({ ...pending(), isKnownQuote: false })).toMatchObject([
      { kind: 'freeze', reason: 'unknown_quote' },
    ]);
    for (const state of ['none', 'closed', 'settled', 'liquidated', 'cancelled', 'reverted'] as const) {
      expect(only({ ...pending(), state, isKnownQuote: false })).toEqual([]);
    }
  });
});

describe('closing', () => {
  test('an open position without a request is left alone', () => {
    expect(only(open())).toEqual([]);
    expect(only(open({ requestedTokenUnits: tokens(0) }))).toEqual([]);
  });

  test('a request is sold, at most what is held', () => {
    expect(
      decidePositionAction(open({ requestedTokenUnits: tokens(200), minPricePips: pricePips(4_000n) })),
    ).toMatchObject([
      { kind: 'authorize_close', tokenUnits: tokens(150), minPricePips: pricePips(4_000n), attempt: 1 },
    ]);
    expect(only(open({ requestedTokenUnits: tokens(50), attemptCount: 1, lastAttemptAtMs: nowMs - 4_999 }))).toEqual(
      [],
    );
  });

  test('an order of an open position is booked as soon as its time is over, with a request or without', () => {
    const sale = { ...live, purpose: 'close' } as const;
    const at = (validUntilMs: number, requested: number | null) =>
      only({
        ...open({ requestedTokenUnits: requested === null ? null : tokens(requested), lastAttemptAtMs: nowMs }),
        liveOrder: { ...sale, validUntilMs },
      });
    expect(at(nowMs, 50)).toEqual([]);
    expect(at(nowMs - 1, 50)).toEqual(['finalize']);
    expect(at(nowMs - 1, null)).toEqual(['finalize']);
  });

  test('an ended order is booked before anything else', () => {
    const ended = { ...live, purpose: 'close', isTerminalAtVenue: true } as const;
    expect(decidePositionAction({ ...open({ requestedTokenUnits: tokens(50) }), liveOrder: ended })).toMatchObject([
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
  const due = (liquidation: Partial<PositionObservation['liquidation']> = {}): PositionObservation => ({
    ...open({ requestedTokenUnits: tokens(50) }),
    liquidation: { isDue: true, attemptCount: 0, lastAttemptAtMs: null, ...liquidation },
  });

  test('everything that is held is sold, whatever its owner asked for', () => {
    expect(decidePositionAction(due())).toEqual([
      {
        kind: 'liquidate',
        tokenUnits: tokens(150),
        attempt: 1,
        positionKey: key,
        idempotencyKey: `${key}:liquidate:1`,
      },
    ]);
  });

  test('what an order left is sold two seconds after it', () => {
    expect(only(due({ attemptCount: 1, lastAttemptAtMs: nowMs - 1_999 }))).toEqual([]);
    expect(decidePositionAction(due({ attemptCount: 1, lastAttemptAtMs: nowMs - 2_000 }))).toMatchObject([
      { kind: 'liquidate', attempt: 2 },
    ]);
  });

  test('a live order is waited for and booked first; payouts and a closed market come before it', () => {
    const order = { ...live, purpose: 'liquidate' } as const;
    expect(only({ ...due({ attemptCount: 3 }), liveOrder: order })).toEqual([]);
    expect(
      decidePositionAction({ ...due({ attemptCount: 3 }), liveOrder: { ...order, isTerminalAtVenue: true } }),
    ).toMatchObject([{ kind: 'finalize', purpose: 'liquidate', idempotencyKey: `${key}:finalize_liquidate:3` }]);
    expect(only({ ...due(), arePayoutsKnown: true })).toEqual(['settle']);
    expect(only({ ...due(), isMarketTradable: false })).toEqual(['defer_close']);
  });
});

/** What the world looks like right after an action took effect. */
function applied(seen: PositionObservation, action: PositionAction): PositionObservation {
  switch (action.kind) {
    case 'freeze':
      return { ...seen, state: 'none' };
    case 'authorize_open':
      return {
        ...seen,
        liveOrder: live,
        opening: { ...seen.opening, attemptCount: action.attempt, lastAttemptAtMs: seen.nowMs },
      };
    case 'refund':
      return { ...seen, state: seen.opening.isCancelRequested ? 'cancelled' : 'reverted', liveOrder: null };
    case 'finalize': {
      const closing = { ...seen.closing, lastAttemptAtMs: seen.nowMs };
      const liquidation = { ...seen.liquidation, lastAttemptAtMs: seen.nowMs };
      return {
        ...seen,
        state: 'open',
        liveOrder: null,
        liquidation,
        closing: seen.state === 'open' ? closing : { ...closing, requestedTokenUnits: null },
      };
    }
    case 'authorize_close':
      return { ...seen, liveOrder: { ...live, purpose: 'close' } };
    case 'unwind':
    case 'liquidate':
      return { ...seen, liveOrder: { ...live, purpose: action.kind } };
    case 'defer_close':
      return { ...seen, closing: { ...seen.closing, isDeferred: true } };
    case 'settle':
      return { ...seen, state: 'settled' };
  }
}

test('law: applying what was decided leaves nothing to decide', () => {
  const orders = fc.record({
    purpose: fc.constantFrom('open', 'close', 'liquidate'),
    validUntilMs: fc.integer({ min: nowMs - 10_000, max: nowMs + 10 }),
    isTerminalAtVenue: fc.boolean(),
    filledUsdcUnits: fc.bigInt(0n, 100_000_000n).map(usdcUnits),
  });
  const times = fc.option(fc.integer({ min: nowMs - 10_000, max: nowMs }));
  const seen: fc.Arbitrary<PositionObservation> = fc.record({
    nowMs: fc.constant(nowMs),
    positionKey: fc.constant(key),
    state: fc.constantFrom('pending', 'open'),
    isKnownQuote: fc.boolean(),
    liveOrder: fc.option(orders),
    isMarketTradable: fc.constant(true),
    arePayoutsKnown: fc.constant(false),
    opening: fc.record({
      isCancelRequested: fc.boolean(),
      windowEndsAtMs: fc.integer({ min: nowMs - 10, max: nowMs + 10 }),
      allowPartialFill: fc.boolean(),
      notionalUsdcUnits: fc.constant(usdc(100)),
      floorUsdcUnits: fc.constant(usdc(30)),
      filledUsdcUnits: fc.bigInt(0n, 100_000_000n).map(usdcUnits),
      attemptCount: fc.integer({ min: 0, max: 4 }),
      lastAttemptAtMs: times,
    }),
    closing: fc.record({
      heldTokenUnits: fc.constant(tokens(150)),
      requestedTokenUnits: fc.option(fc.constant(tokens(50))),
      minPricePips: fc.constant(pricePips(0n)),
      attemptCount: fc.integer({ min: 0, max: 4 }),
      lastAttemptAtMs: times,
      isDeferred: fc.boolean(),
    }),
    liquidation: fc.record({
      isDue: fc.boolean(),
      attemptCount: fc.integer({ min: 0, max: 4 }),
      lastAttemptAtMs: times,
    }),
  });
  fc.assert(
    fc.property(seen, (observation) => {
      const actions = decidePositionAction(observation);
      expect(actions.length).toBeLessThanOrEqual(1);
      for (const action of actions) expect(decidePositionAction(applied(observation, action))).toEqual([]);
    }),
    { numRuns: 2_000 },
  );
});

describe('transitions', () => {
  test('are what the tests of the contract read, as the numbers of the states', () => {
    const numberOf = (state: PositionStateName) => String(positionStates.indexOf(state));
    expect(readTransitions).toEqual({
      count: String(positionTransitions.length),
      moves: positionTransitions.map(({ from, move, to }) => ({ move, from: numberOf(from), to: numberOf(to) })),
    });
  });

  test('states and moves are those of the protocol', () => {
    expect(positionStates.indexOf('reverted')).toBe(7);
    expect(positionTransitions).toHaveLength(9);
    expect(positionStates.filter(isTerminal)).toEqual(['closed', 'settled', 'liquidated', 'cancelled', 'reverted']);
    expect(isLegalTransition('pending', 'open')).toBe(true);
    expect(isLegalTransition('pending', 'closed')).toBe(false);
    expect(isLegalTransition('closed', 'open')).toBe(false);
  });

  test('status follows state, live order, request and payouts', () => {
    const idle = { state: 'open', livePurpose: 'none', isCloseRequested: false, arePayoutsKnown: false } as const;
    expect(positionStatusOf(idle)).toBe('open');
    expect(positionStatusOf({ ...idle, livePurpose: 'unwind' })).toBe('unwinding');
    expect(positionStatusOf({ ...idle, livePurpose: 'liquidate' })).toBe('closing');
    expect(positionStatusOf({ ...idle, isCloseRequested: true })).toBe('closing');
    expect(positionStatusOf({ ...idle, isCloseRequested: true, arePayoutsKnown: true })).toBe('settling');
    expect(positionStatusOf({ ...idle, state: 'reverted' })).toBe('cancelled');
    expect(positionStatusOf({ ...idle, state: 'pending' })).toBe('pending');
    expect(positionStatusOf({ ...idle, state: 'none' })).toBeNull();
  });

  test('the close reason tells a reverted opening from a cancelled one', () => {
    expect(positionStates.map(closeReasonOf)).toEqual([
      null,
      null,
      null,
      'closed',
      'settled',
      'liquidated',
      'cancelled',
      'reverted',
    ]);
  });
});
