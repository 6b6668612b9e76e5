import { columnOf, selectListOf } from '../database/columns.ts';
import { encodeDomainJson } from '../database/domainJson.ts';
import type { Sql, Statement } from '../database/sql.ts';
import type { DatabaseSnapshot, EventAudience, EventPlace, OutboxEntry, OutboxRecord, OutboxStore } from './outbox.ts';

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
const settled = 'transaction_id < pg_snapshot_xmin(pg_current_snapshot())';
const ordered = 'ORDER BY transaction_id, sequence';
const selectSettledPlace: Statement = {
  name: 'outbox_settled_place',
  text: `SELECT pg_snapshot_xmin(pg_current_snapshot()) AS "transactionId"`,
};
/** One statement has one snapshot: the rows it sees and the oldest running transaction belong together. */
const selectSettled: Statement = {
  name: 'outbox_settled',
  text: `SELECT ${columns}, ${settled} AS "isSettled" FROM outbox_events
         WHERE (transaction_id, sequence) > ($1, $2) ${ordered} LIMIT $3`,
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
      text: `SELECT id, transaction_id AS "transactionId", sequence FROM outbox_events WHERE ${own} AND ${settled}
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
export function createOutbox(sql: Sql): Omit<OutboxStore, 'subscribe'> {
  return {
    async append(entries) {
      const written: string[] = [];
      for (let start = 0; start < entries.length; start += appendedAtOnce) {
        const rows = await sql.rows<{ id: string }>(append, arraysOf(entries.slice(start, start + appendedAtOnce)));
        written.push(...rows.map(({ id }) => id));
      }
      return written;
    },
    async settledPlace() {
      const row = await sql.row<{ transactionId: bigint }>(selectSettledPlace);
      return { transactionId: row?.transactionId ?? 0n, sequence: 0n };
    },
    async settledAfter({ transactionId, sequence }, limit) {
      const rows = await sql.rows<OutboxRecord & { isSettled: boolean }>(selectSettled, [
        transactionId,
        sequence,
        limit,
      ]);
      const unsettledAt = rows.findIndex(({ isSettled }) => !isSettled);
      const readable = unsettledAt === -1 ? rows : rows.slice(0, unsettledAt);
      const records = readable.map(({ isSettled: _isSettled, ...record }) => record);
      return { records, isMoreComing: unsettledAt !== -1 || rows.length === limit };
    },
    ownAfter({ audience, after, upTo, limit }) {
      const places = [after.transactionId, after.sequence, upTo.transactionId, upTo.sequence];
      return sql.rows<OutboxRecord>(statements[audience.kind].after, [...valuesOf(audience), ...places, limit]);
    },
    placeOf: (audience, id) => sql.row<EventPlace>(statements[audience.kind].place, [...valuesOf(audience), id]),
    lastOf: (audience) =>
      sql.row<EventPlace & { readonly id: string }>(statements[audience.kind].last, valuesOf(audience)),
    async snapshot() {
      const row = await sql.row<{ snapshot: string }>(selectSnapshot);
      return snapshotOf(row?.snapshot ?? '0:0:');
    },
    removeOlderThan: (createdBeforeMs, limit) => sql.count(removeOld, [new Date(createdBeforeMs), limit]),
  };
}

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
