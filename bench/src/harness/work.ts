import type { Contestant } from './row.ts';

/** Operations between two reads of the clock: few enough to stop in time, enough to hide its cost. */
const batch = 64;

/** Sink of results, so that no compiler can remove the work. */
const sink: { lastResult: unknown } = { lastResult: undefined };

function perSecond(operations: number, startedMs: number): number {
  return (operations * 1_000) / (performance.now() - startedMs);
}

/** Return a contestant with a synchronous operation. It receives a running number, so that no two calls are equal. */
export function syncWork(name: string, operation: (index: number) => unknown): Contestant {
  let index = 0;
  return {
    name,
    measureRate: (durationMs) => {
      const startMs = performance.now();
      let operations = 0;
      while (performance.now() - startMs < durationMs) {
        for (let i = 0; i < batch; i += 1) {
          sink.lastResult = operation(index);
          index += 1;
        }
        operations += batch;
      }
      return perSecond(operations, startMs);
    },
  };
}

/** Return a contestant with an asynchronous operation, run sequentially. */
export function asyncWork(name: string, operation: (index: number) => Promise<unknown>): Contestant {
  let index = 0;
  return {
    name,
    measureRate: async (durationMs) => {
      const startMs = performance.now();
      let operations = 0;
      while (performance.now() - startMs < durationMs) {
        sink.lastResult = await operation(index);
        index += 1;
        operations += 1;
      }
      return perSecond(operations, startMs);
    },
  };
}
