import { min, raw, subtract, tokenUnits, usdcUnits } from '@core/pricing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { book, closeAt, live, observations } from '../../testing/observations.ts';
import { sampleExecution } from '../../testing/sampleExecution.ts';
import { decidePosition, isBookNeeded } from './decidePosition.ts';
import type { OrderAction, PositionAction } from './positionAction.ts';
import type { PositionObservation } from './positionObservation.ts';

/** What the world looks like right after an action took effect. */
function applied(seen: PositionObservation, action: PositionAction): PositionObservation {
  switch (action.kind) {
    case 'freeze':
      return { ...seen, state: 'none' };
    case 'record_miss':
      return { ...seen, opening: { ...seen.opening, attemptCount: action.attempt, lastAttemptAtMs: seen.nowMs } };
    case 'order':
      return appliedOrder(seen, action);
    case 'refund':
      return { ...seen, state: seen.opening.isCancelRequested ? 'cancelled' : 'reverted', liveOrder: null };
    case 'finalize': {
      const closing = { ...seen.closing, attempts: [...seen.closing.attempts, closeAt(seen.nowMs)] };
      const liquidation = { ...seen.liquidation, lastAttemptAtMs: seen.nowMs };
      // The policy's own law: a sale that filled repaid the debt, and after a killed one it waits.
      const unwind = { ...seen.unwind, advice: { kind: 'none' } as const };
      return {
        ...seen,
        state: 'open',
        liveOrder: null,
        liquidation,
        unwind,
        closing: seen.state === 'open' ? closing : { ...closing, requestedTokenUnits: null },
      };
    }
    case 'defer_close':
      return { ...seen, closing: { ...seen.closing, isDeferred: true } };
    case 'settle':
      return { ...seen, state: 'settled' };
  }
}

function appliedOrder(seen: PositionObservation, { purpose, attempt }: OrderAction): PositionObservation {
  const liveOrder = { ...live, purpose };
  if (purpose !== 'open') return { ...seen, liveOrder };
  return { ...seen, liveOrder, opening: { ...seen.opening, attemptCount: attempt, lastAttemptAtMs: seen.nowMs } };
}

test('law: applying what was decided leaves nothing to decide', () => {
  fc.assert(
    fc.property(observations, (observation) => {
      const decision = decidePosition(observation, sampleExecution);
      const after = decision.kind === 'act' ? applied(observation, decision.action) : observation;
      expect(decidePosition(after, sampleExecution).kind).toBe('wait');
    }),
    { numRuns: 2_000 },
  );
});

/** What is left once a decided sale filled: an unwind repays the debt, a close its share of it. */
function filled(seen: PositionObservation, { purpose, tokenUnits: sold }: OrderAction): PositionObservation {
  const { heldTokenUnits: held, debtUsdcUnits: debt, requestedTokenUnits: requested } = seen.closing;
  const kept = raw(held) - raw(sold);
  const isClose = purpose === 'close';
  const closing = {
    ...seen.closing,
    heldTokenUnits: tokenUnits(kept),
    debtUsdcUnits: usdcUnits(isClose ? (raw(debt) * kept) / raw(held) : 0n),
    requestedTokenUnits: requested === null || !isClose ? requested : subtract(requested, sold),
    attempts: isClose ? [...seen.closing.attempts, closeAt(seen.nowMs)] : seen.closing.attempts,
  };
  const isOwing = isClose && kept > 0n;
  const { advice } = seen.unwind;
  // The policy asks for no more than there is.
  const rest = advice.kind === 'sell' ? { ...advice, tokenUnits: min(advice.tokenUnits, tokenUnits(kept)) } : advice;
  return {
    ...seen,
    state: kept === 0n ? 'closed' : 'open',
    closing,
    unwind: { ...seen.unwind, advice: isOwing ? rest : { kind: 'none' } },
    liquidation: { ...seen.liquidation, isDue: seen.liquidation.isDue && isOwing },
  };
}

test('law: sales that fill come to an end: a debt is repaid by one, and a request is sold once', () => {
  const pairs = new Set<string>();
  fc.assert(
    fc.property(observations, (drawn) => {
      let seen: PositionObservation = { ...drawn, state: 'open', isKnownQuote: true, liveOrder: null, book };
      const purposes: string[] = [];
      // Longer than any delay lies between two looks.
      for (let look = 0; look < 10; look += 1) {
        const decision = decidePosition(seen, sampleExecution);
        if (decision.kind === 'act') {
          if (decision.action.kind !== 'order') throw new Error(`${decision.action.kind} without a live order`);
          purposes.push(decision.action.purpose);
          seen = filled(seen, decision.action);
        }
        seen = { ...seen, nowMs: seen.nowMs + sampleExecution.maxCloseRetryDelayMs };
      }
      expect(raw(seen.closing.heldTokenUnits) >= 0n).toBe(true);
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
    fc.property(observations, (seen) => {
      const decisions = [null, book, { ...book, bids: [], asks: [] }].map((each) =>
        decidePosition({ ...seen, book: each }, sampleExecution),
      );
      const isSame = new Set(decisions.map(textOf)).size === 1;
      expect(isBookNeeded(seen, sampleExecution) || isSame).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
