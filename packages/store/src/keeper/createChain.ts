import { excludedListOf, insertTextOf, selectListOf, valuesOf } from '../database/columns.ts';
import { insertAllInto } from '../database/insertAll.ts';
import type { Sql, Statement } from '../database/sql.ts';
import {
  type ChainBlock,
  type ChainCursor,
  type ChainEventRecord,
  type EndedGrantRecord,
  type IndexedCounts,
  subjectsOf,
} from './chain.ts';
import { postponedProjections } from './postponedProjections.ts';

const cursorFields = [
  'chainKey',
  'blockNumber',
  'blockHash',
  'finalizedNumber',
  'blockTimeMs',
] as const satisfies readonly (keyof ChainCursor)[];
export const blockFields = [
  'chainKey',
  'blockNumber',
  'blockHash',
  'parentHash',
  'blockTimeMs',
] as const satisfies readonly (keyof ChainBlock)[];
export const eventFields = [
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
const selectEventsOf: Statement = {
  name: 'chain_events_of',
  text: `SELECT ${selectListOf(eventFields)} FROM chain_events WHERE chain_key = $1 AND subject = ANY($2)
         ORDER BY block_number, log_index`,
};
/** Number of the newest events that a reading takes: its time does not grow with the history. */
const newestEvents = 4_000;
/** The newest of them, each with the last authorisation before it. */
const selectEndedGrants: Statement = {
  name: 'chain_ended_grants',
  text: `SELECT ${selectListOf(eventFields, 'ended')}, market.category,
           position.entry_price_pips AS "entryPricePips",
           begun.arguments AS "authorization", begun.block_time AS "authorizedAtMs",
           EXISTS (SELECT FROM chain_events AS fill
                   WHERE fill.chain_key = $1 AND fill.subject = ended.subject AND fill.name = 'GrantFilled'
                     AND fill.transaction_hash = ended.transaction_hash) AS "isEndedByFill",
           (SELECT coalesce(jsonb_agg(fill.arguments), '[]') FROM chain_events AS fill
            WHERE fill.chain_key = $1 AND fill.subject = ended.subject AND fill.name = 'GrantFilled'
              AND (fill.block_number, fill.log_index) > (begun.block_number, begun.log_index)
              AND (fill.block_number, fill.log_index) < (ended.block_number, ended.log_index)) AS "fills"
         FROM (SELECT * FROM (SELECT * FROM chain_events WHERE chain_key = $1
                              ORDER BY block_number DESC, log_index DESC LIMIT ${newestEvents}) AS newest
               WHERE name = 'GrantEnded' AND block_time >= $2
               ORDER BY block_number DESC, log_index DESC LIMIT $3) AS ended
         CROSS JOIN LATERAL (SELECT arguments, block_time, block_number, log_index FROM chain_events
                             WHERE chain_key = $1 AND subject = ended.subject AND name = 'GrantAuthorized'
                               AND (block_number, log_index) < (ended.block_number, ended.log_index)
                             ORDER BY block_number DESC, log_index DESC LIMIT 1) AS begun
         LEFT JOIN positions AS position ON position.position_key = ended.subject
         LEFT JOIN markets AS market ON market.id = position.market_id
         ORDER BY ended.block_number DESC, ended.log_index DESC`,
};
const pruneBlocks: Statement = {
  name: 'chain_prune',
  text: `DELETE FROM chain_blocks WHERE chain_key = $1 AND block_number IN (
           SELECT block_number FROM chain_blocks WHERE chain_key = $1 AND block_number < $2
           ORDER BY block_number LIMIT $3)`,
};
const setVerified: Statement = {
  name: 'chain_set_verified',
  text: 'UPDATE chain_cursors SET verified_number = $2 WHERE chain_key = $1',
};
/**
 * One statement, so that all of it is of one block. A position gets its account with its loan, or without one when it
 * is refunded before its first order.
 */
const selectCounts: Statement = {
  name: 'chain_counts',
  text: `SELECT block_number AS "blockNumber", block_hash AS "blockHash",
           (SELECT count(*)::integer FROM chain_events
            WHERE chain_key = $1
              AND name IN ('OutcomeRegistered', 'ManagedOutcomeRegistered')) AS "outcomeCount",
           (SELECT count(*)::integer FROM chain_events WHERE chain_key = $1 AND name = 'Lent')
             + (SELECT count(*)::integer FROM positions
                WHERE opened_mark_price_pips IS NULL AND chain_state <> 'pending') AS "accountCount",
           (SELECT coalesce(sum(principal_usdc_units), 0)::bigint FROM positions
            WHERE principal_usdc_units > 0) AS "owedUsdcUnits"
         FROM chain_cursors WHERE chain_key = $1`,
};

/** Chain, first instant and largest number of ended grants. */
interface EndedGrantsQuery {
  readonly chainKey: string;
  readonly sinceMs: number;
  readonly limit: number;
}

export function createChain(sql: Sql) {
  const put = async (blocks: readonly ChainBlock[], events: readonly ChainEventRecord[]): Promise<void> => {
    await putBlocks(sql, blocks);
    await putEvents(sql, events);
  };
  return {
    /** `chainKey` names one vault on one chain, for example `31337:0x…`. */
    cursor: (chainKey: string): Promise<ChainCursor | null> => sql.row<ChainCursor>(selectCursor, [chainKey]),
    /** The same, held where it is until the transaction ends: no range is indexed meanwhile. */
    lockCursor: (chainKey: string): Promise<ChainCursor | null> => sql.row<ChainCursor>(lockCursor, [chainKey]),
    /** Store headers and events and move the cursor, in the transaction that updates the projections. */
    async advance({
      cursor,
      blocks,
      events,
    }: {
      readonly cursor: ChainCursor;
      readonly blocks: readonly ChainBlock[];
      readonly events: readonly ChainEventRecord[];
    }): Promise<void> {
      await put(blocks, events);
      await sql.count(putCursor, valuesOf(cursorFields, cursor));
    },
    /** Delete blocks and events above the ancestor and set the cursor on it. Return the subjects that lost events. */
    async rollback(chainKey: string, ancestor: ChainBlock): Promise<readonly string[]> {
      const removed = await sql.rows<{ subject: string | null }>(removeEvents, [chainKey, ancestor.blockNumber]);
      await sql.count(removeBlocks, [chainKey, ancestor.blockNumber]);
      await sql.count(moveCursor, [chainKey, ancestor.blockNumber, ancestor.blockHash, new Date(ancestor.blockTimeMs)]);
      return subjectsOf(removed);
    },
    /** Events of positions, together in chain order. */
    eventsOf: (chainKey: string, subjects: readonly string[]): Promise<readonly ChainEventRecord[]> =>
      sql.rows<ChainEventRecord>(selectEventsOf, [chainKey, subjects]),
    /** Grants that ended since an instant of the chain, newest first, at most `limit`, of the newest events alone. */
    endedGrants: ({ chainKey, sinceMs, limit }: EndedGrantsQuery): Promise<readonly EndedGrantRecord[]> =>
      sql.rows<EndedGrantRecord>(selectEndedGrants, [chainKey, new Date(sinceMs), limit]),
    /** Add headers and events below the cursor that were missed. Nothing that is there is changed or removed. */
    async addMissed({
      blocks,
      events,
    }: {
      readonly blocks: readonly ChainBlock[];
      readonly events: readonly ChainEventRecord[];
    }): Promise<void> {
      await put(blocks, events);
    },
    /** Delete at most `limit` headers below a final block, the lowest first. Return their number. */
    pruneBlocks: ({
      chainKey,
      belowBlockNumber,
      limit,
    }: {
      readonly chainKey: string;
      readonly belowBlockNumber: bigint;
      readonly limit: number;
    }): Promise<number> => sql.count(pruneBlocks, [chainKey, belowBlockNumber, limit]),
    /** Set the block up to which the index is verified; null verifies everything again. */
    async setVerified(chainKey: string, verifiedNumber: bigint | null): Promise<void> {
      await sql.count(setVerified, [chainKey, verifiedNumber]);
    },
    /** Return the counts that the chain has as well; null before anything is indexed. */
    counts: (chainKey: string): Promise<IndexedCounts | null> => sql.row<IndexedCounts>(selectCounts, [chainKey]),
    ...postponedProjections(sql),
  };
}
