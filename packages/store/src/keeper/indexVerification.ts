import type { Sql, Statement } from '../database/sql.ts';
import { type EventPlace, type IndexedCounts } from './chain.ts';

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
            WHERE chain_key = $1
              AND name IN ('OutcomeRegistered', 'ManagedOutcomeRegistered')) AS "outcomeCount",
           (SELECT count(*)::integer FROM chain_events WHERE chain_key = $1 AND name = 'Lent')
             + (SELECT count(*)::integer FROM positions
                WHERE opened_mark_price_pips IS NULL AND chain_state <> 'pending') AS "accountCount",
           (SELECT coalesce(sum(principal_usdc_units), 0)::bigint FROM positions
            WHERE principal_usdc_units > 0) AS "owedUsdcUnits"
         FROM chain_cursors WHERE chain_key = $1`,
};

/** Progress of the second reading of the chain, and figures to compare with the chain. */
export function indexVerification(sql: Sql) {
  return {
    /** Highest block that was read a second time when it could no longer be reorganised; null while none was. */
    async verifiedNumber(chainKey: string): Promise<bigint | null> {
      return (await sql.row<{ verifiedNumber: bigint | null }>(selectVerified, [chainKey]))?.verifiedNumber ?? null;
    },
    /** Set the block up to which the index is verified; null verifies everything again. */
    async setVerified(chainKey: string, verifiedNumber: bigint | null): Promise<void> {
      await sql.count(setVerified, [chainKey, verifiedNumber]);
    },
    /** Return the positions of these blocks' events in the log, without their contents. */
    eventPlaces: ({
      chainKey,
      from,
      to,
    }: {
      readonly chainKey: string;
      readonly from: bigint;
      readonly to: bigint;
    }): Promise<readonly EventPlace[]> => sql.rows<EventPlace>(selectPlaces, [chainKey, from, to]),
    /** Return the counts that the chain has as well; null before anything is indexed. */
    counts: (chainKey: string): Promise<IndexedCounts | null> => sql.row<IndexedCounts>(selectCounts, [chainKey]),
  };
}
