/** Clock of the venue: that of the machine, advanced on request, never set back. */
export interface SimClock {
  nowMs(): number;
  /** Advance by whole milliseconds. */
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

/** Clock that can be frozen at past instants and released. */
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
