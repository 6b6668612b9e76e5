// oxlint-disable vitest/no-conditional-expect -- a law may have a premise.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decideOn, nowMs, observations, open, tokens, unwindAdvice } from '../../testing/observations.ts';
import { decideOrder } from './decideOrder.ts';
import type { OrderAction } from './positionAction.ts';
import type { BookedObservation } from './positionObservation.ts';
import type { UnwindSale } from './unwindAdvice.ts';
import { nextUnwindRefusal, type UnwindRefusal } from './unwindRetry.ts';

/** The signers' answer to every unwind. */
interface Refusing {
  readonly code: string;
  readonly isTransient: boolean;
}
type Unwind = Extract<OrderAction, { purpose: 'unwind' }>;

/** Return the refusal recorded after the signers did not consent to a decided unwind. */
function refusedBy({ code, isTransient }: Refusing, observation: BookedObservation, action: Unwind): UnwindRefusal {
  const decided = decideOrder(action, { kind: 'refused', code, isTransient });
  if (decided.kind !== 'refused') throw new Error(`an unwind without consent became ${decided.kind}`);
  const { rung, isHardExit } = action;
  return nextUnwindRefusal(observation.unwind.refusal, {
    ...decided,
    atMs: observation.nowMs,
    sale: { rung, isHardExit },
  });
}

const unwindIn = (observation: BookedObservation): Unwind | null => {
  const decision = decideOn(observation);
  const isUnwind = decision.kind === 'act' && decision.action.kind === 'order' && decision.action.purpose === 'unwind';
  return isUnwind ? (decision.action as Unwind) : null;
};
const refusing = fc.constantFrom<Refusing>(
  { code: 'not_due', isTransient: false },
  { code: 'book_stale', isTransient: true },
);

test('law: after a refused unwind the next decision is what would be decided without it, and never the unwind', () => {
  let refusalCount = 0;
  fc.assert(
    fc.property(observations, refusing, (drawn, answer) => {
      const observation: BookedObservation = { ...drawn, state: 'open', isKnownQuote: true, liveOrder: null };
      const action = unwindIn(observation);
      if (action === null) return;
      refusalCount += 1;
      const next = {
        ...observation,
        unwind: { ...observation.unwind, refusal: refusedBy(answer, observation, action) },
      };
      const decision = decideOn(next);
      const debtless = { ...observation, unwind: { ...observation.unwind, advice: { kind: 'none' } as const } };
      const other = decideOn(debtless);
      expect(decision.kind).toBe(other.kind);
      if (decision.kind === 'wait') {
        expect(decision.reason).toBe(answer.code);
        expect(decision.untilMs).toBeGreaterThan(observation.nowMs);
      } else if (other.kind === 'act') {
        expect({ ...decision.action, retryAtMs: null }).toEqual({ ...other.action, retryAtMs: null });
      }
    }),
    { numRuns: 4_000 },
  );
  expect(refusalCount).toBeGreaterThan(100);
});

/** The times at which signers that refuse everything are asked, when every wait is kept; looks of others in between. */
function askedAtMs(sale: UnwindSale, answer: Refusing, { lookMs, endMs }: { lookMs: number; endMs: number }) {
  const requests: number[] = [];
  let refusal: UnwindRefusal | null = null;
  for (let atMs = nowMs; atMs <= endMs; atMs += lookMs) {
    const advice: UnwindSale = { ...sale, retryAtMs: atMs + (sale.retryAtMs - nowMs) };
    const observation: BookedObservation = { ...open(), nowMs: atMs, unwind: { advice, attemptCount: 0, refusal } };
    const action = unwindIn(observation);
    if (action === null) continue;
    requests.push(atMs - nowMs);
    refusal = refusedBy(answer, observation, action);
  }
  return requests;
}

const hour = { lookMs: 250, endMs: nowMs + 3_600_000 };
const lasting = { code: 'not_due', isTransient: false };

test('an unwind that is refused for good is asked for after 1, 2, 4, 8 seconds, then every fifteen', () => {
  const requests = askedAtMs(unwindAdvice, lasting, hour);
  expect(requests.slice(0, 7)).toEqual([0, 1_000, 3_000, 7_000, 15_000, 30_000, 45_000]);
  expect(requests.length).toBeLessThanOrEqual(4 + 3_600 / 15 + 1);
});

test('a refusal that passes by itself is asked about each second, a hard exit every two seconds', () => {
  const passing = askedAtMs(unwindAdvice, { code: 'book_stale', isTransient: true }, hour);
  expect(passing).toEqual(Array.from({ length: 3_601 }, (_, second) => second * 1_000));
  const deadline = { ...unwindAdvice, isHardExit: true, retryAtMs: nowMs + 2_000 };
  expect(askedAtMs(deadline, lasting, hour)).toEqual(Array.from({ length: 1_801 }, (_, ask) => ask * 2_000));
});

test('an unwind that the vault refused is requested no sooner than its pause ends, a hard exit neither', () => {
  for (const isHardExit of [false, true]) {
    const sale = { rung: null, isHardExit };
    const refusal = { atMs: nowMs, reason: 'vault_refuses', sale, lastingCount: 1, notBeforeMs: nowMs + 30_000 };
    const isAsked = (atMs: number): boolean => {
      const advice: UnwindSale = { ...unwindAdvice, ...sale, retryAtMs: atMs + 1_000 };
      return unwindIn({ ...open(), nowMs: atMs, unwind: { advice, attemptCount: 0, refusal } }) !== null;
    };
    expect([isAsked(nowMs + 29_999), isAsked(nowMs + 30_000)]).toEqual([false, true]);
  }
});

test('another rung, a deadline, or a refusal older than a minute restarts the delay', () => {
  const refusal = { atMs: nowMs, reason: 'not_due', sale: { rung: 1, isHardExit: false }, lastingCount: 9 };
  const isAsked = (sale: Partial<UnwindSale>, atMs = nowMs): boolean => {
    const advice: UnwindSale = { ...unwindAdvice, rung: 1, retryAtMs: atMs + 1_000, ...sale };
    return unwindIn({ ...open(), nowMs: atMs, unwind: { advice, attemptCount: 0, refusal } }) !== null;
  };
  expect(isAsked({})).toBe(false);
  // Broken cover is no rung.
  expect(isAsked({ rung: null })).toBe(true);
  expect(isAsked({ rung: 2 })).toBe(true);
  expect(isAsked({ isHardExit: true })).toBe(true);
  const next = (atMs: number) => nextUnwindRefusal(refusal, { ...refusal, atMs, isTransient: false }).lastingCount;
  expect([next(nowMs + 60_000), next(nowMs + 60_001)]).toEqual([10, 1]);
});

test('law: however long an unwind is refused, a request that can be sold is sold at the second look', () => {
  const rows = fc.record({ rung: fc.constantFrom(null, 1), isHardExit: fc.boolean() });
  fc.assert(
    fc.property(rows, refusing, fc.integer({ min: 0, max: 120 }), (kind, answer, seconds) => {
      const sale: UnwindSale = { ...unwindAdvice, ...kind, retryAtMs: nowMs + (kind.isHardExit ? 2_000 : 1_000) };
      let refusal: UnwindRefusal | null = null;
      for (let look = 0; look <= seconds; look += 1) {
        const atMs = nowMs + look * 1_000;
        const advice = { ...sale, retryAtMs: atMs + (sale.retryAtMs - nowMs) };
        const observation: BookedObservation = {
          ...open({ requestedTokenUnits: look === seconds ? tokens(50) : null }),
          nowMs: atMs,
          unwind: { advice, attemptCount: 0, refusal },
        };
        const action = unwindIn(observation);
        if (action !== null) refusal = refusedBy(answer, observation, action);
        if (look < seconds) continue;
        const again = decideOn({ ...observation, unwind: { ...observation.unwind, refusal } });
        expect(again).toMatchObject({ action: { kind: 'order', purpose: 'close' } });
      }
    }),
  );
});
