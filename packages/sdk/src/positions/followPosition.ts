import type { MinedCall, Shown } from '../chain/actionPlan.ts';
import { LevError, OutcomeUnknownError } from '../errors/levError.ts';
import type { Events } from '../events/events.ts';
import type { Position } from '../generated/resources.ts';
import type { Surroundings } from '../http/surroundings.ts';
import type { CallOptions } from '../http/transport.ts';

/** Poll interval, also beside a stream, whose events may be delayed. */
const pollMs = 3_000;
const pollBesideStreamMs = 15_000;
/** Poll interval while only the index of the service is behind the block of the call. */
const indexPollMs = 1_000;
const defaultPatienceMs = 300_000;

/** Dependencies of following a position. */
export interface Follower {
  readonly events: Events<'user'>;
  readonly surroundings: Surroundings;
  readonly byKey: (key: string, options?: CallOptions) => Promise<Position | null>;
}

/** Position key and the state to wait for, in the block of the call or later; the hash is part of the error. */
export interface Goal extends MinedCall {
  readonly key: string;
  readonly isReached: (position: Position) => boolean;
  /** Maximum wait; five minutes when absent. */
  readonly waitMs?: number | undefined;
}

/**
 * Wait until the service shows a position in the desired state, as of the block of the call or later. It is polled, and
 * read at once after an event. An event has no block. A failed read or stream leaves the other
 * running, because the transaction was sent.
 *
 * @throws OutcomeUnknownError after the maximum wait.
 */
export async function followPosition(follower: Follower, goal: Goal): Promise<Shown<Position>> {
  const { surroundings } = follower;
  const { waitMs: patienceMs = defaultPatienceMs } = goal;
  const end = new AbortController();
  const endMs = surroundings.monotonicMs() + patienceMs;
  let wait = new AbortController();
  let hasStream = surroundings.WebSocket !== undefined;
  let failure: LevError | undefined;
  if (hasStream) {
    const listening = listen(follower, { key: goal.key, signal: end.signal, wake: () => wait.abort() });
    listening.catch((cause: unknown) => {
      if (cause instanceof LevError) failure = cause;
      else surroundings.report(cause);
      hasStream = false;
      wait.abort();
    });
  }
  try {
    for (;;) {
      wait = new AbortController();
      let pauseMs = hasStream ? pollBesideStreamMs : pollMs;
      try {
        const { result, block } = await shownAt(follower, goal.key);
        const isIndexed = block === null || goal.block === null || block >= goal.block;
        if (result !== null && isIndexed && goal.isReached(result)) return { result, block };
        if (!isIndexed) pauseMs = indexPollMs;
      } catch (cause) {
        if (!(cause instanceof LevError)) throw cause;
        failure = cause;
      }
      const remainingMs = endMs - surroundings.monotonicMs();
      if (!(remainingMs > 0)) break;
      await pause(surroundings, Math.min(pauseMs, remainingMs), wait.signal);
    }
  } finally {
    end.abort();
  }
  const sentence = `${goal.hash || 'The transaction'} was sent, and the service has not shown its result for ${patienceMs / 1_000} s. Look it up before you send again.`;
  throw new OutcomeUnknownError(goal.hash, sentence, { cause: failure });
}

/** Read a position with the block up to which the service had read the chain before; null without that header. */
async function shownAt({ byKey }: Follower, key: string): Promise<Shown<Position | null>> {
  let block: number | null = null;
  const onHeaders = (headers: Headers): void => {
    const text = headers.get('indexed-block') ?? '';
    block = /^\d+$/.test(text) ? Number(text) : null;
  };
  const result = await byKey(key, { onHeaders });
  return { result, block };
}

/** Call `wake` after each event of the position, and after each snapshot. */
async function listen(
  { events }: Follower,
  { key, signal, wake }: { readonly key: string; readonly signal: AbortSignal; readonly wake: () => void },
): Promise<void> {
  for await (const event of events.stream({ signal })) {
    const isOwn = 'data' in event && Object(event.data).on_chain_position_key === key;
    if (isOwn || event.type === 'snapshot') wake();
  }
}

/** Wait; a signal ends the wait. */
async function pause({ sleep }: Surroundings, milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(milliseconds, signal);
  } catch (cause) {
    if (!signal.aborted) throw cause;
  }
}
