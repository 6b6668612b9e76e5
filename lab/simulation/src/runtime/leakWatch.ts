import { createHook } from 'node:async_hooks';
import { registerHooks } from 'node:module';
import { isOwnTimer } from './realTime.ts';
import type { Scheduler } from './scheduler.ts';

/** Resources that only the real world answers. */
const realResources: ReadonlySet<string> = new Set([
  'Timeout',
  'Immediate',
  'TCPWRAP',
  'TCPCONNECTWRAP',
  'TCPSERVERWRAP',
  'PIPEWRAP',
  'PIPECONNECTWRAP',
  'UDPWRAP',
  'PROCESSWRAP',
  'FSEVENTWRAP',
  'WORKER',
]);

/** Frames of the timers themselves. */
const timerFrames = /node:internal\/(timers|async_hooks)|node:timers|leakWatch|new (Timeout|Immediate|AsyncResource)/;
/** Deadlines of HTTP requests and a date that is replaced: timers of Node's own that decide nothing. */
const harmlessTimers = /node:_http_server|node:internal\/http:/;

/** Return the frame that made a resource. */
const makerOf = (stack: string): string =>
  stack
    .split('\n')
    .slice(1)
    .find((line) => !timerFrames.test(line))
    ?.trim() ?? 'unknown';

/** True for what Node makes for itself and runs in the round that the scheduler waits for anyway. */
function isHarmless(type: string, maker: string): boolean {
  return type === 'Immediate' ? maker.includes('node:') : type === 'Timeout' && harmlessTimers.test(maker);
}

/** Node's own modules are in memory, and a module that is required is read at once; an import waits for the disk. */
const isHarmlessModule = (url: string, conditions: readonly string[] | undefined): boolean =>
  url.startsWith('node:') || conditions?.includes('require') === true;

let reaches = 0;
let expectedConnections = 0;

/** Let a part of the world reach a real process, such as the database. */
export function reachingOut<Result>(work: () => Result): Result {
  reaches += 1;
  try {
    return work();
  } finally {
    reaches -= 1;
  }
}

/** Let one real socket connect, which happens a tick after it was asked to. */
export function expectConnection(): void {
  expectedConnections += 1;
}

function isExpected(type: string): boolean {
  if (type !== 'TCPCONNECTWRAP' || expectedConnections === 0) return false;
  expectedConnections -= 1;
  return true;
}

/**
 * End the run when anything in the process waits for the real world: a timer kept from before they were replaced, a
 * socket to a real process, a child, a thread, or a module that is loaded while the world runs.
 */
export function watchLeaks(scheduler: Scheduler): void {
  const hooks = {
    trackPromises: false,
    init: (_id: number, type: string) => {
      if (!realResources.has(type) || isOwnTimer() || reaches > 0 || isExpected(type)) return;
      const maker = makerOf(new Error(type).stack ?? '');
      if (!isHarmless(type, maker)) scheduler.fail(`${type} of the real world, made ${maker}`);
    },
  };
  createHook(hooks).enable();
  registerHooks({
    load: (url, context, next) => {
      if (!isHarmlessModule(url, context.conditions)) scheduler.fail(`a module is loaded while the world runs: ${url}`);
      return next(url, context);
    },
  });
}
