/** The one source of time of a process. Pure code never reads it: it is handed the instant as a number. */
export interface Clock {
  /** Milliseconds since the Unix epoch. Never runs backwards by jitter of a followed source. */
  nowMs(): number;
  /**
   * Call the listener with the new instant after a move of the clock (not after drift). Returns a function that removes
   * the listener.
   */
  onMove?(listener: (nowMs: number) => void): () => void;
}

/** The operating system's clock. */
export const systemClock: Clock = { nowMs: () => Date.now() };
