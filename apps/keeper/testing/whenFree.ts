import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const pollMs = 100;
/** A test file that runs beside this one may hold the port until it ends. */
const patienceMs = 150_000;

/**
 * Start a program at a port that an earlier one has left. Meanwhile the system may have given the port to another
 * program: the start waits until it is free.
 *
 * @param port Null for a port that the system gives at the start, which needs no waiting.
 */
export async function whenFree<Program>(port: number | null, start: () => Promise<Program>): Promise<Program> {
  const endMs = performance.now() + patienceMs;
  for (;;) {
    if (port === null || (await isFree(port))) {
      try {
        return await start();
      } catch (cause) {
        // Taken between the check and the start.
        if (port === null || (await isFree(port))) throw cause;
      }
    }
    if (performance.now() > endMs) throw new Error(`port ${port} is not free`);
    await delay(pollMs);
  }
}

/** Return true when nothing listens on the port. */
async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch {
    return false;
  }
  probe.close();
  await once(probe, 'close');
  return true;
}
