import { excludedListOf, insertTextOf, selectListOf, valuesOf } from '../database/columns.ts';
import { insertAllInto } from '../database/insertAll.ts';
import type { Sql, Statement } from '../database/sql.ts';
import {
  type ChainBlock,
  type ChainCursor,
  type ChainEventRecord,
  type ChainStore,
  type EventPlace,
  type IndexedCounts,
  subjectsOf,
} from './chain.ts';

const cursorFields = [
  'chainKey',
  'blockNumber',
  'blockHash',
  'finalizedNumber',
  'blockTimeMs',
] as const satisfies readonly (keyof ChainCursor)[];
const blockFields = [
  'chainKey',
  'blockNumber',
  'blockHash',
  'parentHash',
  'blockTimeMs',
] as const satisfies readonly (keyof ChainBlock)[];
const eventFields = [
  'chainKey',
  'blockNumber',
  'logIndex',
  'transactionHash',
  'transactionIndex',
  'contractAddress',
  'name',
  'subject',
  'arguments',
  'blockTimeMs',
] as const satisfies readonly (keyof ChainEventRecord)[];

const selectCursor: Statement = {
  name: 'chain_cursor',
  text: `SELECT ${selectListOf(cursorFields)} FROM chain_cursors WHERE chain_key = $1`,
};
const lockCursor: Statement = { name: 'chain_lock_cursor', text: `${selectCursor.text} FOR UPDATE` };
const putCursor: Statement = {
  name: 'chain_put_cursor',
  text: `${insertTextOf('chain_cursors', cursorFields)} ON CONFLICT (chain_key) DO UPDATE SET
         ${excludedListOf(cursorFields.filter((field) => field !== 'chainKey'))}`,
};
const onKnownBlock = `ON CONFLICT (chain_key, block_number) DO UPDATE SET
         block_hash = EXCLUDED.block_hash, parent_hash = EXCLUDED.parent_hash, block_time = EXCLUDED.block_time`;
const putBlocks = insertAllInto(
  { name: 'chain_put_blocks', table: 'chain_blocks', onConflict: onKnownBlock },
  blockFields,
);
const onKnownEvent = 'ON CONFLICT (chain_key, block_number, log_index) DO NOTHING';
const putEvents = insertAllInto(
  { name: 'chain_put_events', table: 'chain_events', onConflict: onKnownEvent },
  eventFields,
);
const selectBlocks: Statement = {
  name: 'chain_blocks_below',
  text: `SELECT ${selectListOf(blockFields)} FROM chain_blocks WHERE chain_key = $1 AND block_number <= $2
         ORDER BY block_number DESC LIMIT $3`,
};
const removeEvents: Statement = {
  name: 'chain_remove_events',
  text: 'DELETE FROM chain_events WHERE chain_key = $1 AND block_number > $2 RETURNING subject',
};
const removeBlocks: Statement = {
  name: 'chain_remove_blocks',
  text: 'DELETE FROM chain_blocks WHERE chain_key = $1 AND block_number > $2',
};
const moveCursor: Statement = {
  name: 'chain_move_cursor',
  text: `UPDATE chain_cursors SET block_number = $2, block_hash = $3, block_time = $4,
           finalized_number = least(finalized_number, $2), verified_number = least(verified_number, $2)
         WHERE chain_key = $1`,
};
const eventColumns = selectListOf(eventFields);
const selectEventsOf: Statement = {
  name: 'chain_events_of',
  text: `SELECT ${eventColumns} FROM chain_events WHERE chain_key = $1 AND subject = $2 ORDER BY block_number, log_index`,
};
const selectEventsNamed: Statement = {
  name: 'chain_events_named',
  text: `SELECT ${eventColumns} FROM chain_events WHERE chain_key = $1 AND name = $2 ORDER BY block_number, log_index`,
};
const selectVerified: Statement = {
  name: 'chain_verified',
  text: 'SELECT verified_number AS "verifiedNumber" FROM chain_cursors WHERE chain_key = $1',
};
const setVerified: Statement = {
  name: 'chain_set_verified',
  text: 'UPDATE chain_cursors SET verified_number = $2 WHERE chain_key = $1',
};
const selectPlaces: Statement = {
  name: 'chain_event_places',
  text: `SELECT block_number AS "blockNumber", log_index AS "logIndex", name FROM chain_events
         WHERE chain_key = $1 AND block_number BETWEEN $2 AND $3`,
};
/**
 * One statement, so that all of it is of one block. A position gets its account with its loan, or without one when it
 * is refunded before its first order.
 */
const selectCounts: Statement = {
  name: 'chain_counts',
  text: `SELECT block_number AS "blockNumber", block_hash AS "blockHash",
           (SELECT count(*)::integer FROM chain_events
            WHERE chain_key = $1 AND name = 'OutcomeRegistered') AS "outcomeCount",
           (SELECT count(*)::integer FROM chain_events WHERE chain_key = $1 AND name = 'Lent')
             + (SELECT count(*)::integer FROM positions
                WHERE opened_mark_price_pips IS NULL AND chain_state <> 'pending') AS "accountCount",
           (SELECT coalesce(sum(principal_usdc_units), 0)::bigint FROM positions
            WHERE principal_usdc_units > 0) AS "owedUsdcUnits"
         FROM chain_cursors WHERE chain_key = $1`,
};
const pruneBlocks: Statement = {
  name: 'chain_prune',
  text: `DELETE FROM chain_blocks WHERE chain_key = $1 AND block_number IN (
           SELECT block_number FROM chain_blocks WHERE chain_key = $1 AND block_number < $2
           ORDER BY block_number LIMIT $3)`,
};

export function createChain(sql: Sql): ChainStore {
  const put = async (blocks: readonly ChainBlock[], events: readonly ChainEventRecord[]): Promise<void> => {
    await putBlocks(sql, blocks);
    await putEvents(sql, events);
  };
  return {
    cursor: (chainKey) => sql.row<ChainCursor>(selectCursor, [chainKey]),
    lockCursor: (chainKey) => sql.row<ChainCursor>(lockCursor, [chainKey]),
    async advance({ cursor, blocks, events }) {
      await put(blocks, events);
      await sql.count(putCursor, valuesOf(cursorFields, cursor));
    },
    blocksBelow: ({ chainKey, blockNumber, limit }) =>
      sql.rows<ChainBlock>(selectBlocks, [chainKey, blockNumber, limit]),
    async rollback(chainKey, ancestor) {
      const removed = await sql.rows<{ subject: string | null }>(removeEvents, [chainKey, ancestor.blockNumber]);
      await sql.count(removeBlocks, [chainKey, ancestor.blockNumber]);
      await sql.count(moveCursor, [chainKey, ancestor.blockNumber, ancestor.blockHash, new Date(ancestor.blockTimeMs)]);
      return subjectsOf(removed);
    },
    eventsOf: (chainKey, subject) => sql.rows<ChainEventRecord>(selectEventsOf, [chainKey, subject]),
    eventsNamed: (chainKey, name) => sql.rows<ChainEventRecord>(selectEventsNamed, [chainKey, name]),
    async verifiedNumber(chainKey) {
      return (await sql.row<{ verifiedNumber: bigint | null }>(selectVerified, [chainKey]))?.verifiedNumber ?? null;
    },
    async setVerified(chainKey, verifiedNumber) {
      await sql.count(setVerified, [chainKey, verifiedNumber]);
    },
    eventPlaces: ({ chainKey, from, to }) => sql.rows<EventPlace>(selectPlaces, [chainKey, from, to]),
    async addMissed({ blocks, events }) {
      await put(blocks, events);
    },
    counts: (chainKey) => sql.row<IndexedCounts>(selectCounts, [chainKey]),
    pruneBlocks: ({ chainKey, belowBlockNumber, limit }) => sql.count(pruneBlocks, [chainKey, belowBlockNumber, limit]),
  };
}
