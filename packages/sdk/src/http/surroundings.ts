/** Host functions that the client uses; tests and special hosts replace them. */
export interface Surroundings {
  readonly fetch: typeof globalThis.fetch;
  /** Time of day; for comparisons with times of the service alone. */
  readonly nowMs: () => number;
  /** Return the milliseconds of a clock that is never set, for durations. */
  readonly monotonicMs: () => number;
  /** Wait for a time; rejects with the signal's reason when it is aborted first. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** Return a signal that aborts after a time. */
  readonly deadline: (milliseconds: number) => AbortSignal;
  /** Receive the error of a listener, which stops nothing else. */
  readonly report: (failure: unknown) => void;
  /** Return a number from 0 to below 1; used to spread retries only. */
  readonly random: () => number;
  readonly randomId: () => string;
  /** WebSocket constructor; undefined on hosts without one, such as Node before 22. Read when a stream connects. */
  readonly WebSocket: typeof globalThis.WebSocket | undefined;
  /** Load the sockets of the package `ws`, for a host without its own; undefined when it is not installed. */
  readonly socketsOfPackage: () => Promise<typeof globalThis.WebSocket | undefined>;
}

/** Return the host's own functions, with the given ones in their place. */
export function surroundingsOf(given: Partial<Surroundings> = {}): Surroundings {
  return {
    ...ofHost,
    ...('WebSocket' in given && { socketsOfPackage: async () => undefined }),
    ...given,
    get WebSocket() {
      return 'WebSocket' in given ? given.WebSocket : globalThis.WebSocket;
    },
  };
}

/** Package name, resolved at run time so that no bundler includes it: a page has its own sockets. */
const socketPackage = 'ws';

async function socketsOfPackage(): Promise<typeof globalThis.WebSocket | undefined> {
  try {
    const { WebSocket } = await import(/* @vite-ignore */ socketPackage);
    return WebSocket;
  } catch (cause) {
    if (Reflect.get(Object(cause), 'code') === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw cause;
  }
}

const ofHost: Omit<Surroundings, 'WebSocket'> = {
  fetch: (...given) => globalThis.fetch(...given),
  nowMs: () => Date.now(),
  monotonicMs: () => globalThis.performance.now(),
  sleep,
  socketsOfPackage,
  deadline: (milliseconds) => AbortSignal.timeout(milliseconds),
  report: (failure) => globalThis.console.error(failure),
  random: () => Math.random(),
  // Pages without HTTPS have no randomUUID.
  randomId: () => globalThis.crypto.getRandomValues(new BigUint64Array(2)).join('-'),
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
