import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { redactedText } from './redaction.ts';

/** Another program without which this one cannot start. */
export interface Neighbour {
  /** Name in the log, such as "the venue". */
  readonly name: string;
  /** Address; credentials in it are not shown. */
  readonly url: string;
  readonly answers: () => Promise<boolean>;
}

const probeTimeoutMs = 2_000;
const pollMs = 250;
/** Interval at which a long wait is logged again. */
const reminderMs = 10_000;

/** A neighbour that is there when its address answers anything over HTTP. */
export function httpNeighbour(name: string, url: string): Neighbour {
  return {
    name,
    url,
    answers: async () => {
      try {
        const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(probeTimeoutMs) });
        await response.arrayBuffer();
        return true;
      } catch {
        return false;
      }
    },
  };
}

/** Wait until each neighbour has answered, one after the other. Logs the one it waits for, and the end of the wait. */
export async function awaitNeighbours(
  neighbours: readonly Neighbour[],
  logger: Pick<Logger, 'warn' | 'info'>,
): Promise<void> {
  for (const { name, url, answers } of neighbours) {
    const startMs = performance.now();
    let saidMs = Number.NEGATIVE_INFINITY;
    while (!(await answers())) {
      if (performance.now() - saidMs >= reminderMs) {
        saidMs = performance.now();
        logger.warn(`waiting for ${name} at ${redactedText(url)}`);
      }
      await delay(pollMs);
    }
    if (saidMs > Number.NEGATIVE_INFINITY) {
      logger.info({ waitedMs: Math.round(performance.now() - startMs) }, `${name} answers`);
    }
  }
}
