import { excludedListOf, insertTextOf, selectListOf, valuesOf } from '../database/columns.ts';
import type { Sql, Statement } from '../database/sql.ts';
import type { ChainBlock, ChainCursor, ChainEventRecord, ChainStore } from './chain.ts';

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
const putCursor: Statement = {
  name: 'chain_put_cursor',
  text: `${insertTextOf('chain_cursors', cursorFields)} ON CONFLICT (chain_key) DO UPDATE SET
         ${excludedListOf(cursorFields.filter((field) => field !== 'chainKey'))}`,
};
const putBlock: Statement = {
  name: 'chain_put_block',
  text: `${insertTextOf('chain_blocks', blockFields)} ON CONFLICT (chain_key, block_number) DO UPDATE SET
         block_hash = EXCLUDED.block_hash, parent_hash = EXCLUDED.parent_hash, block_time = EXCLUDED.block_time`,
};
const putEvent: Statement = {
  name: 'chain_put_event',
  text: `${insertTextOf('chain_events', eventFields)} ON CONFLICT (chain_key, block_number, log_index) DO NOTHING`,
};
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
           finalized_number = least(finalized_number, $2) WHERE chain_key = $1`,
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
const pruneBlocks: Statement = {
  name: 'chain_prune',
  text: 'DELETE FROM chain_blocks WHERE chain_key = $1 AND block_number < $2',
};

export function createChain(sql: Sql): ChainStore {
  return {
    cursor: (chainKey) => sql.row<ChainCursor>(selectCursor, [chainKey]),
    async advance({ cursor, blocks, events }) {
      for (const block of blocks) {
        await sql.count(putBlock, valuesOf(blockFields, block));
      }
      for (const event of events) {
        await sql.count(putEvent, valuesOf(eventFields, event));
      }
      await sql.count(putCursor, valuesOf(cursorFields, cursor));
    },
    blocksBelow: ({ chainKey, blockNumber, limit }) =>
      sql.rows<ChainBlock>(selectBlocks, [chainKey, blockNumber, limit]),
    async rollback(chainKey, ancestor) {
      const removed = await sql.rows<{ subject: string | null }>(removeEvents, [chainKey, ancestor.blockNumber]);
      await sql.count(removeBlocks, [chainKey, ancestor.blockNumber]);
      await sql.count(moveCursor, [chainKey, ancestor.blockNumber, ancestor.blockHash, new Date(ancestor.blockTimeMs)]);
      return [...new Set(removed.flatMap(({ subject }) => (subject === null ? [] : [subject])))];
    },
    eventsOf: (chainKey, subject) => sql.rows<ChainEventRecord>(selectEventsOf, [chainKey, subject]),
    eventsNamed: (chainKey, name) => sql.rows<ChainEventRecord>(selectEventsNamed, [chainKey, name]),
    pruneBlocks: (chainKey, belowBlockNumber) => sql.count(pruneBlocks, [chainKey, belowBlockNumber]),
  };
}
