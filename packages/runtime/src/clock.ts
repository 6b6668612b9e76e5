/** The one source of time of a process. Pure code never reads it: it is handed the instant as a number. */
export interface Clock {
  /** Milliseconds since the Unix epoch. Never runs backwards by jitter of a followed source. */
  nowMs(): number;
  /** Calls the listener with the new instant after the clock was moved (not after drift). Returns the way to stop. */
  onMove?(listener: (nowMs: number) => void): () => void;
}

/** The operating system's clock. */
export const systemClock: Clock = { nowMs: () => Date.now() };
