import type { Sql, Statement } from '../database/sql.ts';

const postpone: Statement = {
  name: 'postponed_put',
  text: `INSERT INTO postponed_projections AS postponed (chain_key, position_key, from_block)
         SELECT $1, key, $3 FROM unnest($2::text[]) AS key ORDER BY key
         ON CONFLICT (chain_key, position_key) DO UPDATE
         SET from_block = least(postponed.from_block, EXCLUDED.from_block)`,
};
const selectAmong: Statement = {
  name: 'postponed_among',
  text: `SELECT position_key AS "positionKey", from_block AS "fromBlock" FROM postponed_projections
         WHERE chain_key = $1 AND position_key = ANY($2)`,
};
const remove: Statement = {
  name: 'postponed_remove',
  text: 'DELETE FROM postponed_projections WHERE chain_key = $1 AND position_key = $2',
};

/** A position whose stored events are not folded yet. */
export interface PostponedProjection {
  readonly positionKey: string;
  /** First block of these events. */
  readonly fromBlock: bigint;
}

/** Positions that are folded later. They change in transactions that hold the cursor, so that none is lost. */
export function postponedProjections(sql: Sql) {
  return {
    /** Postpone the folds of positions. One that is postponed already keeps its lower block. */
    async postpone({
      chainKey,
      positionKeys,
      fromBlock,
    }: {
      readonly chainKey: string;
      readonly positionKeys: readonly string[];
      readonly fromBlock: bigint;
    }): Promise<void> {
      if (positionKeys.length > 0) await sql.count(postpone, [chainKey, positionKeys, fromBlock]);
    },
    /** Return those of these positions that are postponed. */
    postponedAmong: (chainKey: string, positionKeys: readonly string[]): Promise<readonly PostponedProjection[]> =>
      sql.rows<PostponedProjection>(selectAmong, [chainKey, positionKeys]),
    /** Remove a position whose events are folded. */
    async removePostponed(chainKey: string, positionKey: string): Promise<void> {
      await sql.count(remove, [chainKey, positionKey]);
    },
  };
}
