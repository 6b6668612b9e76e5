import type { PositionHistory } from '@core/position';
import { columnOf, excludedListOf } from '../database/columns.ts';
import { insertAllInto } from '../database/insertAll.ts';

import type { Sql, Statement } from '../database/sql.ts';
import { columnFields, ledgerFields, partialCloseFields, transactionFields, unwindFields } from './columnFields.ts';

const clear: Statement = {
  name: 'positions_clear',
  text: `WITH transactions AS (DELETE FROM position_transactions WHERE position_key = ANY($1)),
           unwinds AS (DELETE FROM position_unwinds WHERE position_key = ANY($1)),
           ledger AS (DELETE FROM position_ledger_rows WHERE position_key = ANY($1))
         DELETE FROM position_partial_closes WHERE position_key = ANY($1)`,
};
const putTransactions = insertAllInto({ name: 'positions_put_transactions', table: 'position_transactions' }, [
  'positionKey',
  ...transactionFields,
]);
const putUnwinds = insertAllInto({ name: 'positions_put_unwinds', table: 'position_unwinds' }, [
  'positionKey',
  ...unwindFields,
]);
const putPartialCloses = insertAllInto({ name: 'positions_put_partial_closes', table: 'position_partial_closes' }, [
  'positionKey',
  ...partialCloseFields,
]);
const putLedger = insertAllInto({ name: 'positions_put_ledger', table: 'position_ledger_rows' }, [
  'positionKey',
  ...ledgerFields,
]);
/**
 * A projection does not know what was said of its row meanwhile: that it is frozen, or that those who follow changes
 * are to take it in again.
 */
const keptFields: ReadonlySet<string> = new Set(['positionKey', 'frozenReason', 'updatedBlockNumber']);
const upsert = insertAllInto(
  {
    name: 'positions_put',
    table: 'positions',
    onConflict: `ON CONFLICT (position_key) DO UPDATE SET
         ${excludedListOf(columnFields.filter((field) => !keptFields.has(field)))},
         frozen_reason = coalesce(positions.frozen_reason, EXCLUDED.frozen_reason),
         updated_block_number = greatest(positions.updated_block_number, EXCLUDED.updated_block_number)`,
  },
  columnFields,
);
/** In one order everywhere, so that two transactions never wait for each other in a circle. */
const lockProjections: Statement = {
  name: 'positions_lock_projections',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('position:' || lower(key), 0))
         FROM (SELECT key FROM unnest($1::text[]) AS key ORDER BY lower(key) COLLATE "C") AS ordered`,
};
const remove: Statement = { name: 'positions_remove', text: 'DELETE FROM positions WHERE position_key = ANY($1)' };
const freeze: Statement = {
  name: 'positions_freeze',
  text: `UPDATE positions SET ${columnOf('frozenReason')} = $2 WHERE position_key = $1`,
};
/** No cursor moves until this transaction ends. In one order everywhere. */
const holdCursors: Statement = {
  name: 'positions_hold_cursors',
  text: 'SELECT block_number FROM chain_cursors ORDER BY chain_key FOR SHARE',
};
/** The block after the cursor's: a follower that is reading now has taken in what changed up to the cursor. */
const unfreeze: Statement = {
  name: 'positions_unfreeze',
  text: `UPDATE positions SET frozen_reason = NULL, updated_block_number =
           greatest(updated_block_number, (SELECT coalesce(max(block_number), -1) + 1 FROM chain_cursors))
         WHERE position_key = lower($1) AND frozen_reason IS NOT NULL`,
};
const markChanged: Statement = {
  name: 'positions_mark_changed',
  text: `UPDATE positions SET updated_block_number = greatest(updated_block_number, $2)
         WHERE position_key = ANY($1)`,
};

/** Changes of positions. `sql` is a transaction. */
export function positionChanges(sql: Sql) {
  return {
    /**
     * Wait until no other transaction refolds these keys and keep others waiting until this one ends. Taken before the
     * events are read: a projection of older events would otherwise replace a newer one.
     */
    async lockProjections(positionKeys: readonly string[]): Promise<void> {
      if (positionKeys.length > 0) await sql.count(lockProjections, [positionKeys]);
    },
    /** Replace projections, each of another key. A freeze stays, and the block of the last change never goes back. */
    put: (...projections: readonly PositionHistory[]): Promise<void> => put(sql, projections),
    /** The chain forgot the keys. */
    async remove(...positionKeys: readonly string[]): Promise<void> {
      await sql.count(clear, [positionKeys]);
      await sql.count(remove, [positionKeys]);
    },
    /** A person decides: nothing is done for the position until it is unfrozen. */
    async freeze(positionKey: string, frozenReason: string): Promise<boolean> {
      return (await sql.count(freeze, [positionKey, frozenReason])) === 1;
    },
    /**
     * Lift a freeze and have the position read again as changed, whatever the keeper writes meanwhile. False when the
     * position was not frozen.
     */
    async unfreeze(positionKey: string): Promise<boolean> {
      await sql.count(lockProjections, [[positionKey]]);
      await sql.count(holdCursors);
      return (await sql.count(unfreeze, [positionKey])) === 1;
    },
    /** Mark positions as changed at a block: readers that follow changes by block read them again. */
    async markChanged(positionKeys: readonly string[], blockNumber: bigint): Promise<void> {
      if (positionKeys.length > 0) await sql.count(markChanged, [positionKeys, blockNumber]);
    },
  };
}

/** A projection has few rows, so it is replaced whole: no merge can leave something of an abandoned branch behind. */
async function put(sql: Sql, projections: readonly PositionHistory[]): Promise<void> {
  const positions = projections.map(({ position }) => position);
  await upsert(
    sql,
    positions.map((position) => ({ ...position, walletAddress: position.walletAddress.toLowerCase() })),
  );
  await sql.count(clear, [positions.map(({ positionKey }) => positionKey)]);
  const owned = <Row extends object>(rowsOf: (projection: PositionHistory) => readonly Row[]) =>
    projections.flatMap((projection) => {
      const { positionKey } = projection.position;
      return rowsOf(projection).map((row) => ({ positionKey, ...row }));
    });
  await putTransactions(
    sql,
    owned(({ transactions }) => transactions),
  );
  await putUnwinds(
    sql,
    owned(({ unwinds }) => unwinds),
  );
  await putPartialCloses(
    sql,
    owned(({ partialCloses }) => partialCloses),
  );
  await putLedger(
    sql,
    owned(({ ledger }) => ledger),
  );
}
