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
