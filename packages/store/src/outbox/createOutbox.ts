import type { Subscription } from '../database/broadcast.ts';
import { columnOf, selectListOf } from '../database/columns.ts';
import { encodeDomainJson } from '../database/domainJson.ts';
import type { Sql, Statement } from '../database/sql.ts';
import type {
  DatabaseSnapshot,
  EventAudience,
  EventPlace,
  OutboxEntry,
  OutboxRecord,
  RunningWriter,
  SettledEvents,
} from './outbox.ts';

const entryFields = [
  'id',
  'type',
  'partnerId',
  'walletAddress',
  'positionId',
  'marketId',
  'payload',
  'createdAtMs',
] as const satisfies readonly (keyof OutboxEntry)[];

const columns = selectListOf(['transactionId', 'sequence', ...entryFields]);
/** Rows of one statement: the arrays of a larger one would be copied again and again. */
const appendedAtOnce = 500;

/** Returns the new rows. */
export const append: Statement = {
  name: 'outbox_append',
  text: `INSERT INTO outbox_events (${entryFields.map(columnOf).join(', ')})
         SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::jsonb[],
           $8::timestamptz[])
         ON CONFLICT (id) DO NOTHING RETURNING id`,
};
// Decision: packages/store/DECISIONS.md#events-are-read-in-transaction-order
const isSettled = 'transaction_id < pg_snapshot_xmin(pg_current_snapshot())';
const ordered = 'ORDER BY transaction_id, sequence';
/**
 * Rows below a transaction, by default the oldest that still runs, and whether there are others behind them: those are
 * counted by the index alone, without their payloads. One statement has one snapshot, so both belong together.
 */
const selectSettled: Statement = {
  name: 'outbox_settled',
  text: `WITH bound AS (SELECT COALESCE($4::xid8, pg_snapshot_xmin(pg_current_snapshot())) AS floor)
         SELECT event.*, EXISTS (SELECT FROM outbox_events
           WHERE transaction_id >= bound.floor AND (transaction_id, sequence) > ($1, $2)) AS "isMoreWaiting"
         FROM bound LEFT JOIN LATERAL (
           SELECT ${columns} FROM outbox_events
           WHERE (transaction_id, sequence) > ($1, $2) AND transaction_id < bound.floor ${ordered} LIMIT $3
         ) AS event ON true ORDER BY event."transactionId", event.sequence`,
};
/** Transactions that hold a number, with their sessions. Both views show that much to every user. */
const writers = `pg_locks AS lock JOIN pg_stat_activity AS session USING (pid)
  WHERE lock.locktype = 'transactionid' AND lock.mode = 'ExclusiveLock' AND lock.granted`;
/**
 * The oldest running transaction that may still write an event: one whose session is known to be in another database of
 * the server cannot, nor can the server's own vacuum. A transaction that ends meanwhile, or is prepared, counts.
 */
const selectFloor: Statement = {
  name: 'outbox_floor',
  text: `SELECT COALESCE(
           (SELECT running.id FROM pg_snapshot_xip(pg_current_snapshot()) AS running (id)
            WHERE NOT EXISTS (SELECT FROM ${writers} AND lock.transactionid = running.id::xid
              AND (session.backend_type = 'autovacuum worker'
                OR session.datid <> (SELECT oid FROM pg_database WHERE datname = current_database())))
            ORDER BY running.id LIMIT 1),
           pg_snapshot_xmax(pg_current_snapshot())) AS floor`,
};
const selectOldestWriter: Statement = {
  name: 'outbox_oldest_writer',
  text: `SELECT session.datname AS database, session.application_name AS application, session.pid,
           (extract(epoch FROM clock_timestamp() - session.xact_start) * 1000)::float8 AS "ageMs"
         FROM ${writers} ORDER BY age(lock.transactionid) DESC LIMIT 1`,
};
const selectSnapshot: Statement = {
  name: 'outbox_snapshot',
  text: 'SELECT pg_current_snapshot()::text AS snapshot',
};
const removeOld: Statement = {
  name: 'outbox_remove',
  text: `DELETE FROM outbox_events WHERE sequence IN
           (SELECT sequence FROM outbox_events WHERE created_at < $1 ORDER BY created_at LIMIT $2)`,
};

/** The condition of an audience, by the index that serves it; its values are the first parameters. */
const conditions: Readonly<Record<EventAudience['kind'], string>> = {
  user: 'partner_id = $1 AND wallet_address = $2',
  partner: `partner_id = $1 AND $2::text IS NULL AND type <> 'notification'`,
  markets: 'partner_id IS NULL AND $1::text IS NULL AND $2::text IS NULL',
};

function ownStatements(kind: EventAudience['kind']) {
  const own = conditions[kind];
  return {
    after: {
      name: `outbox_after_${kind}`,
      text: `SELECT ${columns} FROM outbox_events WHERE ${own} AND (transaction_id, sequence) > ($3, $4)
               AND (transaction_id, sequence) <= ($5, $6) ${ordered} LIMIT $7`,
    },
    place: {
      name: `outbox_place_${kind}`,
      text: `SELECT transaction_id AS "transactionId", sequence FROM outbox_events WHERE ${own} AND id = $3`,
    },
    last: {
      name: `outbox_last_${kind}`,
      text: `SELECT id, transaction_id AS "transactionId", sequence FROM outbox_events WHERE ${own} AND ${isSettled}
             ORDER BY transaction_id DESC, sequence DESC LIMIT 1`,
    },
  };
}

const statements = {
  user: ownStatements('user'),
  partner: ownStatements('partner'),
  markets: ownStatements('markets'),
} as const;

/** Everything of the outbox that runs as statements; waiting for new rows is `subscribeToChannel`. */
export function createOutbox(sql: Sql) {
  return {
    /** Write the entries that are new and return their ids, in order. */
    async append(entries: readonly OutboxEntry[]): Promise<readonly string[]> {
      const written: string[] = [];
      for (let start = 0; start < entries.length; start += appendedAtOnce) {
        const rows = await sql.rows<{ id: string }>(append, arraysOf(entries.slice(start, start + appendedAtOnce)));
        written.push(...rows.map(({ id }) => id));
      }
      return written;
    },
    /** Whatever is read with `settledAfter` from this place on is after everything that has committed by now. */
    async settledPlace(): Promise<EventPlace> {
      // The same bound as that of a read: behind an older one, events that were read before would come again.
      const row = await sql.row<{ floor: bigint }>(selectFloor);
      return { transactionId: row?.floor ?? 0n, sequence: 0n };
    },
    /**
     * Read events after a place, in order, as far as no running transaction could add one before them: a reader that
     * continues from the last one misses none and receives none twice. Payloads of events that wait are not read.
     */
    async settledAfter(after: EventPlace, limit: number): Promise<SettledEvents> {
      const readBelow = async (floor: bigint | null) => {
        const rows = await sql.rows<SettledRow>(selectSettled, [after.transactionId, after.sequence, limit, floor]);
        const records = rows.flatMap(({ isMoreWaiting: _isMoreWaiting, ...row }) => (row.id === null ? [] : [row]));
        return { records, isMoreComing: records.length === limit || rows[0]?.isMoreWaiting === true };
      };
      const settledEvents = await readBelow(null);
      if (settledEvents.records.length > 0 || !settledEvents.isMoreComing) return settledEvents;
      // A transaction runs that is older than what waits. In another database of the server it holds up no event here.
      const row = await sql.row<{ floor: bigint }>(selectFloor);
      return row === null ? settledEvents : readBelow(row.floor);
    },
    /** Events of an audience after one place, up to and with another that is settled. */
    ownAfter({
      audience,
      after,
      upTo,
      limit,
    }: {
      readonly audience: EventAudience;
      readonly after: EventPlace;
      readonly upTo: EventPlace;
      readonly limit: number;
    }): Promise<readonly OutboxRecord[]> {
      const places = [after.transactionId, after.sequence, upTo.transactionId, upTo.sequence];
      return sql.rows<OutboxRecord>(statements[audience.kind].after, [...valuesOf(audience), ...places, limit]);
    },
    /** Return the oldest running transaction of the server that writes, in whichever database; null without one. */
    oldestWriter: (): Promise<RunningWriter | null> => sql.row<RunningWriter>(selectOldestWriter),
    /** Return the position of an audience's event; null when it is unknown, removed or another's. */
    placeOf: (audience: EventAudience, id: string): Promise<EventPlace | null> =>
      sql.row<EventPlace>(statements[audience.kind].place, [...valuesOf(audience), id]),
    /** The last settled event of an audience, null when there is none. */
    lastOf: (audience: EventAudience): Promise<(EventPlace & { readonly id: string }) | null> =>
      sql.row<EventPlace & { readonly id: string }>(statements[audience.kind].last, valuesOf(audience)),
    /** Return the snapshot of this reading; within `readAtOnce` that of all its statements. */
    async snapshot(): Promise<DatabaseSnapshot> {
      const row = await sql.row<{ snapshot: string }>(selectSnapshot);
      return snapshotOf(row?.snapshot ?? '0:0:');
    },
    /** Delete at most `limit` of the oldest events. Return their number. */
    removeOlderThan: (createdBeforeMs: number, limit: number): Promise<number> =>
      sql.count(removeOld, [new Date(createdBeforeMs), limit]),
  };
}

/** A row, or nothing but the flag where no row is settled. */
type SettledRow = { readonly isMoreWaiting: boolean } & (OutboxRecord | { readonly id: null });

/** `xmin:xmax:running,running,…` */
function snapshotOf(text: string): DatabaseSnapshot {
  const [xmin = '0', xmax = '0', running = ''] = text.split(':');
  const ids = running === '' ? [] : running.split(',');
  return { xmin: BigInt(xmin), xmax: BigInt(xmax), running: new Set(ids.map(BigInt)) };
}

function valuesOf(audience: EventAudience): [string | null, string | null] {
  if (audience.kind === 'markets') return [null, null];
  return [audience.partnerId, audience.kind === 'user' ? audience.walletAddress.toLowerCase() : null];
}

/** One array per column, in the order of the fields. */
function arraysOf(entries: readonly OutboxEntry[]): unknown[] {
  return entryFields.map((field) =>
    entries.map((entry) => {
      if (field === 'payload') return encodeDomainJson(entry.payload);
      if (field === 'createdAtMs') return new Date(entry.createdAtMs);
      return field === 'walletAddress' ? (entry.walletAddress?.toLowerCase() ?? null) : entry[field];
    }),
  );
}

export interface OutboxStore extends ReturnType<typeof createOutbox> {
  /** Call `wake` after commits that appended, and after every reconnect; several commits may make one call. */
  subscribe(wake: () => void): Promise<Subscription>;
}
