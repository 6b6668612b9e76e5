import type { Contestant } from './row.ts';

/** Operations between two looks at the clock: few enough to stop in time, enough that the clock costs nothing. */
const batch = 64;

/** Results land here, so that no compiler can prove the work useless and drop it. */
const sink: { lastResult: unknown } = { lastResult: undefined };

function perSecond(operations: number, startedMs: number): number {
  return (operations * 1_000) / (performance.now() - startedMs);
}

/** A contestant whose operation is synchronous. It receives a running number, so that no two calls are alike. */
export function syncWork(name: string, operation: (index: number) => unknown): Contestant {
  let index = 0;
  return {
    name,
    measureRate: (durationMs) => {
      const started = performance.now();
      let operations = 0;
      while (performance.now() - started < durationMs) {
        for (let i = 0; i < batch; i += 1) {
          sink.lastResult = operation(index);
          index += 1;
        }
        operations += batch;
      }
      return perSecond(operations, started);
    },
  };
}

/** A contestant whose operation is asynchronous, one after the other. */
export function asyncWork(name: string, operation: (index: number) => Promise<unknown>): Contestant {
  let index = 0;
  return {
    name,
    measureRate: async (durationMs) => {
      const started = performance.now();
      let operations = 0;
      while (performance.now() - started < durationMs) {
        sink.lastResult = await operation(index);
        index += 1;
        operations += 1;
      }
      return perSecond(operations, started);
    },
  };
}
