import type { Clock } from '../src/index.ts';

/** A clock that stands still until the test moves it. */
export interface FixedClock extends Clock {
  advanceMs(spanMs: number): void;
}

export function fixedClock(epochMs: number): FixedClock {
  let nowMs = epochMs;
  return {
    nowMs: () => nowMs,
    advanceMs: (spanMs) => {
      nowMs += spanMs;
    },
  };
}
