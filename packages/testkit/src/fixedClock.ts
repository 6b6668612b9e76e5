/** A clock that stands still until a test moves it. It has the shape of the service's clock port. */
export interface FixedClock {
  nowMs(): number;
  /** Moves the clock by a span that may be negative (clocks do jump back). */
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
