import { min, raw, subtract, tokenUnits, usdcUnits } from '@core/pricing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { book, closeAt, decideOn, isBookRead, live, observations } from '../../testing/observations.ts';
import { sampleExecution } from '../../testing/sampleExecution.ts';
import type { OrderAction, PositionAction } from './positionAction.ts';
import type { BookedObservation } from './positionObservation.ts';

/** Return the observation right after an action took effect. */
function applied(observation: BookedObservation, action: PositionAction): BookedObservation {
  switch (action.kind) {
    case 'record_miss':
      return {
        ...observation,
        opening: { ...observation.opening, attemptCount: action.attempt, lastAttemptAtMs: observation.nowMs },
      };
    case 'order':
      return appliedOrder(observation, action);
    case 'refund':
      return {
        ...observation,
        state: observation.opening.isCancelRequested ? 'cancelled' : 'reverted',
        liveOrder: null,
      };
    case 'finalize': {
      const closing = {
        ...observation.closing,
        attempts: [...observation.closing.attempts, closeAt(observation.nowMs)],
      };
      const liquidation = { ...observation.liquidation, lastAttemptAtMs: observation.nowMs };
      // The policy's own law: a sale that filled repaid the debt, and after a killed one it waits.
      const unwind = { ...observation.unwind, advice: { kind: 'none' } as const };
      return {
        ...observation,
        state: 'open',
        liveOrder: null,
        liquidation,
        unwind,
        closing: observation.state === 'open' ? closing : { ...closing, requestedTokenUnits: null },
      };
    }
    case 'defer_close':
      return { ...observation, closing: { ...observation.closing, isDeferred: true } };
    case 'settle':
      return { ...observation, state: 'settled' };
  }
}

function appliedOrder(observation: BookedObservation, { purpose, attempt }: OrderAction): BookedObservation {
  const liveOrder = { ...live, purpose };
  if (purpose !== 'open') return { ...observation, liveOrder };
  return {
    ...observation,
    liveOrder,
    opening: { ...observation.opening, attemptCount: attempt, lastAttemptAtMs: observation.nowMs },
  };
}

test('law: after its decision is applied a position needs no other', () => {
  fc.assert(
    fc.property(observations, (observation) => {
      const decision = decideOn(observation);
      const action = decision.kind === 'act' ? decision.action : null;
      // The last attempt without a fill is followed by a refund: the next law.
      fc.pre(action?.kind !== 'record_miss' || action.attempt < sampleExecution.maxOpenAttempts);
      const after = action === null ? observation : applied(observation, action);
      expect(decideOn(after).kind).toBe('wait');
    }),
    { numRuns: 2_000 },
  );
});

test('law: an opening without a fill is refunded after its last attempt, and needs nothing more', () => {
  const lastAttempts = observations.map((observation) => ({
    ...observation,
    state: 'pending' as const,
    isKnownQuote: true,
    liveOrder: null,
    book: null,
    opening: {
      ...observation.opening,
      isCancelRequested: false,
      windowEndsAtMs: observation.nowMs + 10,
      filledUsdcUnits: usdcUnits(0n),
      attemptCount: sampleExecution.maxOpenAttempts - 1,
      lastAttemptAtMs: null,
    },
  }));
  fc.assert(
    fc.property(lastAttempts, (observation) => {
      const miss = actionOf(observation);
      expect(miss.kind).toBe('record_miss');
      const after = applied(observation, miss);
      const refund = actionOf(after);
      expect(refund.kind).toBe('refund');
      expect(decideOn(applied(after, refund)).kind).toBe('wait');
    }),
    { numRuns: 500 },
  );
});

function actionOf(observation: BookedObservation): PositionAction {
  const decision = decideOn(observation);
  if (decision.kind !== 'act') throw new Error(`waits: ${decision.reason}`);
  return decision.action;
}

/** Return the observation after a decided sale filled: an unwind repays the debt, a close its share of it. */
function filled(observation: BookedObservation, { purpose, tokenUnits: sold }: OrderAction): BookedObservation {
  const { heldTokenUnits: held, debtUsdcUnits: debt, requestedTokenUnits: requested } = observation.closing;
  const remainder = raw(held) - raw(sold);
  const isClose = purpose === 'close';
  const closing = {
    ...observation.closing,
    heldTokenUnits: tokenUnits(remainder),
    debtUsdcUnits: usdcUnits(isClose ? (raw(debt) * remainder) / raw(held) : 0n),
    requestedTokenUnits: requested === null || !isClose ? requested : subtract(requested, sold),
    attempts: isClose ? [...observation.closing.attempts, closeAt(observation.nowMs)] : observation.closing.attempts,
  };
  const isOwing = isClose && remainder > 0n;
  const { advice } = observation.unwind;
  // The policy asks for no more than there is.
  const rest =
    advice.kind === 'sell' ? { ...advice, tokenUnits: min(advice.tokenUnits, tokenUnits(remainder)) } : advice;
  return {
    ...observation,
    state: remainder === 0n ? 'closed' : 'open',
    closing,
    unwind: { ...observation.unwind, advice: isOwing ? rest : { kind: 'none' } },
    liquidation: { ...observation.liquidation, isDue: observation.liquidation.isDue && isOwing },
  };
}

test('law: sales that fill come to an end: a debt is repaid by one, and a request is sold once', () => {
  const pairs = new Set<string>();
  fc.assert(
    fc.property(observations, (drawn) => {
      let observation: BookedObservation = { ...drawn, state: 'open', isKnownQuote: true, liveOrder: null, book };
      const purposes: string[] = [];
      // Longer than any delay lies between two looks.
      for (let look = 0; look < 10; look += 1) {
        const decision = decideOn(observation);
        if (decision.kind === 'act') {
          if (decision.action.kind !== 'order') throw new Error(`${decision.action.kind} without a live order`);
          purposes.push(decision.action.purpose);
          observation = filled(observation, decision.action);
        }
        observation = { ...observation, nowMs: observation.nowMs + sampleExecution.maxCloseRetryDelayMs };
      }
      expect(raw(observation.closing.heldTokenUnits) >= 0n).toBe(true);
      expect(new Set(purposes).size).toBe(purposes.length);
      pairs.add(purposes.join(' '));
    }),
    { numRuns: 2_000 },
  );
  // What costs the pool money comes first, unless it was refused a moment ago; nothing follows the sale of everything.
  expect([...pairs].filter((pair) => pair !== 'close unwind').toSorted()).toEqual([
    '',
    'close',
    'liquidate',
    'unwind',
    'unwind close',
  ]);
});

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? part.toString() : part));

test('law: only a due order depends on the book', () => {
  fc.assert(
    fc.property(observations, (observation) => {
      const decisions = [null, book, { ...book, bids: [], asks: [] }].map((each) =>
        decideOn({ ...observation, book: each }),
      );
      const isSame = new Set(decisions.map(textOf)).size === 1;
      expect(isBookRead(observation) || isSame).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
