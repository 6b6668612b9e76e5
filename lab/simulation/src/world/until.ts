import { setTimeout as delay } from 'node:timers/promises';

const pauseMs = 250;
const defaultLimitMs = 300_000;

/**
 * Look again and again, in virtual time, until there is something; a look that throws is a look in vain.
 * @throws Error that names what was awaited, with the failure of the last look.
 */
export async function until<Value>(
  what: string,
  look: () => Promise<Value | null | undefined>,
  limitMs = defaultLimitMs,
): Promise<Value> {
  const endMs = performance.now() + limitMs;
  let failure: unknown;
  while (performance.now() < endMs) {
    try {
      const value = await look();
      if (value !== null && value !== undefined) return value;
      failure = undefined;
    } catch (error) {
      failure = error;
    }
    await delay(pauseMs);
  }
  throw new Error(`no ${what} within ${limitMs} ms`, { cause: failure });
}
