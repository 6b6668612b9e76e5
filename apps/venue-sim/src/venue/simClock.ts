/** The venue's clock: the machine's, moved forward on request. It never goes back. */
export interface SimClock {
  nowMs(): number;
  /** Moves forward by whole milliseconds. */
  advance(milliseconds: number): void;
}

/**
 * @param base Where unmoved time comes from; the machine's clock by default.
 * @param offsetMs Lead over the base at the start.
 */
export function movableClock(base: () => number = Date.now, offsetMs = 0): SimClock {
  let lead = offsetMs;
  return {
    nowMs: () => base() + lead,
    advance: (milliseconds) => {
      if (milliseconds < 0) throw new RangeError('the clock only goes forward');
      lead += milliseconds;
    },
  };
}

/** A clock that can be held still at instants of the past, and let go. */
export interface HeldClock extends SimClock {
  hold(atMs: number): void;
  release(): void;
}

export function heldClock(clock: SimClock): HeldClock {
  let heldMs: number | null = null;
  return {
    nowMs: () => heldMs ?? clock.nowMs(),
    advance: (milliseconds) => clock.advance(milliseconds),
    hold: (atMs) => {
      heldMs = atMs;
    },
    release: () => {
      heldMs = null;
    },
  };
}
