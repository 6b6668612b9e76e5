import { setTimeout as delay } from 'node:timers/promises';
import { type DatabaseSnapshot, type EventPlace, isSeenBy } from '@core/store';
import { isoTimeOf } from '@core/wire';
import type { Connection } from './connection.ts';
import { atTurn, type JoinOptions, replay, sendSnapshot } from './past.ts';

/** The chain forgets positions one after the other, each in a transaction of its own: one snapshot shows them all. */
const gatheredMs = 250;

/** Positions that the chain forgot while a connection was joining, by the transactions that removed them. */
type Removals = Set<bigint>;

/**
 * Joins connections to the stream. New events are queued first. Then the past is sent, as a snapshot or as the events
 * since the last one received, and then the queued events that the past did not contain. Each connection joins once at
 * a time, so that no older snapshot follows a newer event.
 */
export class StreamJoins {
  readonly #options: JoinOptions;
  readonly #underWay = new Map<Connection, Removals>();

  constructor(options: JoinOptions) {
    this.#options = options;
  }

  /** A new connection, from the last event it received on. */
  async join(connection: Connection, resumeFrom: string | null): Promise<void> {
    const { feed } = this.#options;
    await this.#run(connection, async () => {
      const upTo = feed.place;
      connection.beginJoin(upTo);
      await greet(this.#options, connection);
      if (resumeFrom !== null) {
        const reason = await replay(this.#options, connection, { resumeFrom, upTo });
        if (reason === null) return null;
        connection.sendFrame({ frame: 'resync_required', reason });
      }
      return sendSnapshot(this.#options, connection);
    });
  }

  /** Show the positions as they are now to a client that may know one which the chain forgot. */
  async startOver(connection: Connection, removal: EventPlace): Promise<void> {
    const noted = this.#underWay.get(connection);
    if (noted === undefined) await this.#run(connection, () => this.#resync(connection));
    else noted.add(removal.transactionId);
  }

  async #run(connection: Connection, first: () => Promise<DatabaseSnapshot | null>): Promise<void> {
    const removals: Removals = new Set();
    this.#underWay.set(connection, removals);
    try {
      let snapshot = await first();
      for (;;) {
        while (connection.isOpen && isOwed(removals, snapshot)) {
          removals.clear();
          snapshot = await this.#resync(connection);
        }
        await connection.endJoin(snapshot);
        if (!connection.isOpen || !isOwed(removals, snapshot)) return;
      }
    } finally {
      this.#underWay.delete(connection);
    }
  }

  async #resync(connection: Connection): Promise<DatabaseSnapshot | null> {
    connection.beginJoin(this.#options.feed.place);
    connection.sendFrame({ frame: 'resync_required', reason: 'chain_reorganised' });
    await delay(gatheredMs);
    return sendSnapshot(this.#options, connection);
  }
}

/** True when a removal is not in what the connection was shown. */
function isOwed(removals: Removals, shown: DatabaseSnapshot | null): boolean {
  return [...removals].some((transactionId) => shown === null || !isSeenBy(shown, transactionId));
}

/**
 * Return the first frame. The markets gateway has no snapshot: the frame names the event after which the stream
 * continues.
 */
async function greet(options: JoinOptions, connection: Connection): Promise<void> {
  const { id, token, audience } = connection;
  const isMarkets = audience.kind === 'markets';
  const last = isMarkets ? await atTurn(options, connection, () => options.store.outbox.lastOf(audience)) : null;
  connection.sendFrame({
    frame: 'connected',
    connection_id: id,
    expires_at: token === null ? null : isoTimeOf(token.expiresAtMs),
    ...(last !== null && { last_event_id: last.value?.id ?? null }),
  });
}
