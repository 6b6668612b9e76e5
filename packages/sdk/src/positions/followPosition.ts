import { LevError, OutcomeUnknownError } from '../errors/levError.ts';
import type { Events } from '../events/events.ts';
import type { Position } from '../generated/resources.ts';
import type { Surroundings } from '../http/surroundings.ts';

/** Poll interval, also beside a stream, whose events may be delayed. */
const pollMs = 3_000;
const pollBesideStreamMs = 15_000;
const patienceMs = 300_000;

/** Dependencies of following a position. */
export interface Follower {
  readonly events: Events<'user'>;
  readonly surroundings: Surroundings;
  readonly byKey: (key: string) => Promise<Position | null>;
}

/** Position key and the state to wait for; the hash is part of the error. */
export interface Goal {
  readonly key: string;
  readonly hash: string;
  readonly isReached: (position: Position) => boolean;
}

/**
 * Wait until a position has the desired state, by events and by polling, whichever is first. An error of one leaves the
 * other running, because the transaction was sent.
 *
 * @throws OutcomeUnknownError after five minutes.
 */
export async function followPosition(follower: Follower, goal: Goal): Promise<Position> {
  const controller = new AbortController();
  let failure: LevError | undefined;
  const failed = (cause: LevError): void => {
    failure = cause;
  };
  const untilAsked = byAsking(follower, goal, { signal: controller.signal, failed });
  const untilEvent = async (): Promise<Position | null> => {
    try {
      return await byEvents(follower, goal, controller.signal);
    } catch (cause) {
      if (!(cause instanceof LevError)) throw cause;
      failed(cause);
      return untilAsked;
    }
  };
  try {
    const hasStream = follower.surroundings.WebSocket !== undefined;
    const result = await (hasStream ? Promise.race([untilAsked, untilEvent()]) : untilAsked);
    if (result !== null) return result;
  } finally {
    controller.abort();
  }
  const sentence = `the service does not show yet what ${goal.hash} has led to`;
  throw new OutcomeUnknownError(goal.hash, sentence, { cause: failure });
}

/** Stop signal of the polling, with a receiver of its transient errors. */
interface Stop {
  readonly signal: AbortSignal;
  readonly failed: (cause: LevError) => void;
}

/** Wait for the position by events; null only after the signal. */
async function byEvents({ events, byKey }: Follower, goal: Goal, signal: AbortSignal): Promise<Position | null> {
  const isGoal = (position: Position): boolean =>
    position.on_chain_position_key === goal.key && goal.isReached(position);
  for await (const event of events.stream({ signal })) {
    if (event.type === 'snapshot') {
      const match = event.positions.find(isGoal);
      if (match !== undefined) return match;
      // A snapshot contains active positions; one that has ended meanwhile is found in the list.
      if (event.positions.some(({ on_chain_position_key: key }) => key === goal.key)) continue;
      const listed = await byKey(goal.key);
      if (listed !== null && goal.isReached(listed)) return listed;
    } else if (event.type !== 'gap' && event.type !== 'notification' && isGoal(event.data)) return event.data;
  }
  return null;
}

/** Poll the position until the time is over; null then. A failed read is repeated. */
async function byAsking({ byKey, surroundings }: Follower, goal: Goal, stop: Stop): Promise<Position | null> {
  const hasStream = surroundings.WebSocket !== undefined;
  const endMs = surroundings.nowMs() + patienceMs;
  for (let isFirst = true; surroundings.nowMs() < endMs; isFirst = false) {
    if (hasStream || !isFirst) await pause(surroundings, hasStream ? pollBesideStreamMs : pollMs, stop.signal);
    if (stop.signal.aborted) return null;
    try {
      const position = await byKey(goal.key);
      if (position !== null && goal.isReached(position)) return position;
    } catch (cause) {
      if (!(cause instanceof LevError)) throw cause;
      stop.failed(cause);
    }
  }
  return null;
}

/** Wait; a signal ends the wait. */
async function pause({ sleep }: Surroundings, milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(milliseconds, signal);
  } catch (cause) {
    if (!signal.aborted) throw cause;
  }
}
