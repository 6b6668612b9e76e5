/**
 * The real clock and timers, kept before the virtual ones replace them: this module is loaded first. The scheduler
 * imports it, and the parts that talk to real processes; nothing that a program sees comes from here.
 */
const { setImmediate: realImmediate, setTimeout: realTimeout, clearTimeout: realClear } = globalThis;
const realNow = performance.now.bind(performance);

/** Milliseconds of a monotonic real clock, for reports of costs alone. */
export const realNowMs = (): number => realNow();

let ownTimers = 0;
/** True while a real timer is made here, which the watch over real timers lets pass. */
export const isOwnTimer = (): boolean => ownTimers > 0;

function asOwn<Result>(make: () => Result): Result {
  ownTimers += 1;
  try {
    return make();
  } finally {
    ownTimers -= 1;
  }
}

/** Wait for one round of the real event loop: all ticks and promises that are ready have run by then. */
export const realRound = (): Promise<void> => new Promise((resolve) => asOwn(() => realImmediate(resolve)));

/** Wait in real time. */
export const realDelay = (ms: number): Promise<void> => new Promise((resolve) => asOwn(() => realTimeout(resolve, ms)));

/** Wait for a promise of a real process for at most so long; `late` when it takes longer. */
export async function realLimit<Result>(promise: Promise<Result>, limitMs: number): Promise<Result | 'late'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = asOwn(() => realTimeout(() => resolve('late'), limitMs));
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    realClear(timer);
  }
}
