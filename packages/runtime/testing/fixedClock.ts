import type { Clock } from '../src/index.ts';

/** Clock that stays still until a test moves it. */
export interface FixedClock extends Clock {
  /** Move the clock by a span that may be negative (clocks do jump back). */
  advanceMs(spanMs: number): void;
  setMs(epochMs: number): void;
}

/** A clock that shows `epochMs` until it is moved. */
export function fixedClock(epochMs: number): FixedClock {
  let nowMs = epochMs;
  return {
    nowMs: () => nowMs,
    advanceMs: (spanMs) => {
      nowMs += spanMs;
    },
    setMs: (newMs) => {
      nowMs = newMs;
    },
  };
}
