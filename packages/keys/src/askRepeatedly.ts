import { setTimeout as delay } from 'node:timers/promises';
import { httpExchange } from '@core/runtime';

type Question = Omit<Parameters<typeof httpExchange>[0], 'timeoutMs'>;

/** Pauses before the second and the third attempt. */
const pausesMs = [50, 250];

/** Refusal of a holder, with its status and the beginning of its text. */
class HolderRefusal extends Error {
  override readonly name = 'HolderRefusal';
}

/**
 * Send a request until it is answered, at most three times in all: again after a status of 429 or of 500 and above, and
 * after a failure of the network.
 * @throws an Error when no attempt within the time gave an answer of status 200.
 */
export async function askRepeatedly(question: Question, timeoutMs: number): Promise<string> {
  const endMs = performance.now() + timeoutMs;
  for (const pauseMs of pausesMs) {
    const text = await attempt(question, endMs).catch((error: unknown) => {
      if (error instanceof HolderRefusal || performance.now() + pauseMs >= endMs) throw error;
      return null;
    });
    if (text !== null) return text;
    await delay(pauseMs);
  }
  const text = await attempt(question, endMs);
  if (text === null) throw new HolderRefusal('throttled or failing at every attempt');
  return text;
}

/** Return the text of the answer; null for a status after which another attempt may succeed. */
async function attempt(question: Question, endMs: number): Promise<string | null> {
  const timeoutMs = Math.max(1, Math.round(endMs - performance.now()));
  const { status, text } = await httpExchange({ ...question, timeoutMs });
  if (status === 200) return text;
  if (status === 429 || status >= 500) return null;
  throw new HolderRefusal(`status ${status}: ${text.slice(0, 200)}`);
}
