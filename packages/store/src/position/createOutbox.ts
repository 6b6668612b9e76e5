import { insertTextOf, selectListOf, valuesOf } from '../database/columns.ts';
import type { Sql, Statement } from '../database/sql.ts';
import type { OutboxEntry, OutboxRecord, OutboxStore } from './outbox.ts';

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

const append: Statement = {
  name: 'outbox_append',
  text: `${insertTextOf('outbox_events', entryFields)} ON CONFLICT (id) DO NOTHING`,
};
const readAfter: Statement = {
  name: 'outbox_read',
  text: `SELECT ${selectListOf(['sequence', ...entryFields])} FROM outbox_events
         WHERE sequence > $1 AND ($3::text IS NULL OR partner_id = $3) AND ($4::text IS NULL OR wallet_address = lower($4))
         ORDER BY sequence LIMIT $2`,
};
const selectSequence: Statement = {
  name: 'outbox_sequence_of',
  text: 'SELECT sequence FROM outbox_events WHERE id = $1',
};
const selectLast: Statement = {
  name: 'outbox_last',
  text: 'SELECT coalesce(max(sequence), 0) AS sequence FROM outbox_events',
};
const removeOld: Statement = { name: 'outbox_remove', text: 'DELETE FROM outbox_events WHERE created_at < $1' };

/** Everything of the outbox that runs as statements; waiting for new rows is `subscribeToChannel`. */
export function createOutbox(sql: Sql): Omit<OutboxStore, 'subscribe'> {
  return {
    async append(entries) {
      for (const entry of entries) {
        const values = valuesOf(entryFields, { ...entry, walletAddress: entry.walletAddress?.toLowerCase() ?? null });
        await sql.count(append, values);
      }
    },
    readAfter: ({ after, limit, partnerId, walletAddress }) =>
      sql.rows<OutboxRecord>(readAfter, [after, limit, partnerId ?? null, walletAddress ?? null]),
    async sequenceOf(id) {
      const row = await sql.row<{ sequence: bigint }>(selectSequence, [id]);
      return row === null ? null : row.sequence;
    },
    async lastSequence() {
      const row = await sql.row<{ sequence: bigint }>(selectLast);
      return row?.sequence ?? 0n;
    },
    removeOlderThan: (createdBeforeMs) => sql.count(removeOld, [new Date(createdBeforeMs)]),
  };
}
