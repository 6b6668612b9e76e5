import { currentProgram } from './program.ts';
import type { Scheduler } from './scheduler.ts';

/** Monotonic clocks begin at one second: a program may take zero for "never". */
const monotonicStartMs = 1_000;

/** Replace the wall clock and the monotonic clocks of the process. A program's wall clock may be ahead or behind. */
export function installClock(scheduler: Scheduler): void {
  const RealDate = Date;
  const nowMs = (): number => Math.floor(scheduler.nowMs + (currentProgram()?.clockOffsetMs ?? 0));
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [nowMs()] : args, newTarget),
    apply: () => new RealDate(nowMs()).toString(),
    get: (target, key, receiver) => (key === 'now' ? nowMs : Reflect.get(target, key, receiver)),
  });
  const monotonicMs = (): number => scheduler.elapsedMs + monotonicStartMs;
  Object.defineProperty(performance, 'now', { value: monotonicMs, configurable: true, writable: true });
  Object.defineProperty(performance, 'timeOrigin', {
    value: scheduler.startMs - monotonicStartMs,
    configurable: true,
  });
  const nowNanos = (): bigint => BigInt(Math.round(monotonicMs() * 1_000)) * 1_000n;
  const hrtime = (previous?: [number, number]): [number, number] => {
    const since =
      nowNanos() - (previous === undefined ? 0n : BigInt(previous[0]) * 1_000_000_000n + BigInt(previous[1]));
    return [Number(since / 1_000_000_000n), Number(since % 1_000_000_000n)];
  };
  process.hrtime = Object.assign(hrtime, { bigint: nowNanos });
}
