/** What the client takes from the world; tests and unusual hosts bring their own. */
export interface Surroundings {
  readonly fetch: typeof globalThis.fetch;
  readonly nowMs: () => number;
  /** Resolves after a time; rejects with the signal's reason when it is aborted first. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** From 0 to below 1; spreads retries, decides nothing else. */
  readonly random: () => number;
  readonly randomId: () => string;
  /** Undefined on hosts without WebSockets: Node before 22. */
  readonly WebSocket: typeof globalThis.WebSocket | undefined;
}

/** The host's own. */
export const hostSurroundings: Surroundings = {
  fetch: (...given) => globalThis.fetch(...given),
  nowMs: () => Date.now(),
  sleep,
  random: () => Math.random(),
  randomId: () => globalThis.crypto.randomUUID(),
  WebSocket: globalThis.WebSocket,
};

function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason);
      return;
    }
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
