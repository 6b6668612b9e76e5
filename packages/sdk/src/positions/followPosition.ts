import { OutcomeUnknownError } from '../errors/levError.ts';
import type { Events } from '../events/events.ts';
import type { Position } from '../generated/resources.ts';
import type { Surroundings } from '../http/surroundings.ts';

const pollMs = 3_000;
const patienceMs = 300_000;

/** What following a position needs. */
export interface Follower {
  readonly events: Events<'user'>;
  readonly surroundings: Surroundings;
  readonly byKey: (key: string) => Promise<Position | null>;
}

/** What is waited for: a position by its key, until it looks as wanted; the hash stands in the error. */
export interface Goal {
  readonly key: string;
  readonly hash: string;
  readonly isReached: (position: Position) => boolean;
}

/**
 * The position once the service shows what is waited for: by events, or where the host has no sockets by asking.
 * @throws OutcomeUnknownError when that does not happen in five minutes.
 */
export async function followPosition(follower: Follower, goal: Goal): Promise<Position> {
  const limit = AbortSignal.timeout(patienceMs);
  const found = await (follower.surroundings.WebSocket === undefined
    ? byAsking(follower, goal, limit)
    : byEvents(follower, goal, limit));
  if (found !== null) return found;
  throw new OutcomeUnknownError(goal.hash, `the service does not show yet what ${goal.hash} has led to`);
}

async function byEvents({ events, byKey }: Follower, goal: Goal, signal: AbortSignal): Promise<Position | null> {
  const isGoal = (position: Position): boolean =>
    position.on_chain_position_key === goal.key && goal.isReached(position);
  for await (const event of events.stream({ signal })) {
    if (event.type === 'snapshot') {
      const shown = event.positions.find(isGoal);
      if (shown !== undefined) return shown;
      // A snapshot holds what is not finished; what has ended meanwhile is found in the list.
      if (event.positions.some(({ on_chain_position_key: key }) => key === goal.key)) continue;
      const listed = await byKey(goal.key);
      if (listed !== null && goal.isReached(listed)) return listed;
    } else if (event.type !== 'gap' && event.type !== 'notification' && isGoal(event.data)) return event.data;
  }
  return null;
}

async function byAsking({ byKey, surroundings }: Follower, goal: Goal, signal: AbortSignal): Promise<Position | null> {
  while (!signal.aborted) {
    const position = await byKey(goal.key);
    if (position !== null && goal.isReached(position)) return position;
    await surroundings.sleep(pollMs);
  }
  return null;
}
