import {
  activeStatuses,
  type Position,
  type PositionHistory,
  type PositionPartialClose,
  type PositionTransaction,
  type PositionUnwind,
  positionFields,
  positionPartialCloseFields,
  positionTransactionFields,
  positionUnwindFields,
} from '@core/position';
import { columnOf, excludedListOf, fieldNamesOf, insertTextOf, selectListOf, valuesOf } from '../database/columns.ts';
import { insertAllInto } from '../database/insertAll.ts';
import type { Sql, Statement } from '../database/sql.ts';
import { listPositions } from './listPositions.ts';
import type { ActivePage, ActiveQuery, ListedPosition, PositionStore } from './positions.ts';
import { RememberedPositions } from './rememberedPositions.ts';

const columnFields = fieldNamesOf(positionFields);
const transactionFields = fieldNamesOf(positionTransactionFields);
const unwindFields = fieldNamesOf(positionUnwindFields);
const partialCloseFields = fieldNamesOf(positionPartialCloseFields);

const columns = selectListOf(columnFields);
const listedColumns = `${selectListOf(columnFields, 'position')}, market.ticker AS "marketTicker",
  market.title AS "marketTitle"`;
const listed = `SELECT ${listedColumns} FROM positions AS position JOIN markets AS market ON market.id = position.market_id`;

const selectOwn: Statement = {
  name: 'positions_own',
  text: `${listed} WHERE position.id = $1 AND position.partner_id = $2 AND position.wallet_address = lower($3)`,
};
const active = `position.status IN (${activeStatuses.map((status) => `'${status}'`).join(', ')})`;
const activeOrder = 'ORDER BY position.wallet_address, position.id LIMIT $4';
const selectActiveOfWallet: Statement = {
  name: 'positions_active_of_wallet',
  text: `${listed} WHERE position.partner_id = $1 AND position.wallet_address = lower($2) AND position.id > $3
         AND ${active} ${activeOrder}`,
};
const selectActiveOfPartner: Statement = {
  name: 'positions_active_of_partner',
  text: `${listed} WHERE position.partner_id = $1 AND (position.wallet_address, position.id) > (lower($2), $3)
         AND ${active} ${activeOrder}`,
};
const selectActiveOfMarket: Statement = {
  name: 'positions_active_of_market',
  text: `SELECT ${columns} FROM positions AS position WHERE position.market_id = $1 AND ${active} ORDER BY id`,
};
const selectByKey: Statement = {
  name: 'positions_by_key',
  text: `SELECT ${columns} FROM positions WHERE position_key = lower($1)`,
};
const selectById: Statement = { name: 'positions_by_id', text: `SELECT ${columns} FROM positions WHERE id = $1` };
const selectInStatuses: Statement = {
  name: 'positions_in_statuses',
  text: `SELECT ${columns} FROM positions WHERE status = ANY($1) AND frozen_reason IS NULL ORDER BY created_at, id`,
};
const selectStatusesIn: Statement = {
  name: 'positions_statuses_in',
  text: `SELECT position_key AS "positionKey", status, market_id AS "marketId" FROM positions
         WHERE status = ANY($1) AND frozen_reason IS NULL ORDER BY created_at, id`,
};
const selectStatusesOf: Statement = {
  name: 'positions_statuses_of',
  text: `SELECT position_key AS "positionKey", status, market_id AS "marketId" FROM positions
         WHERE position_key = ANY($1) AND frozen_reason IS NULL`,
};
const selectChangedSince: Statement = {
  name: 'positions_changed_since',
  text: `SELECT ${columns} FROM positions WHERE updated_block_number >= $1 AND frozen_reason IS NULL
         ORDER BY updated_block_number, id`,
};
/** Only what no reorganisation can undo is listed. */
const finalised = `block_number <= (SELECT max(finalized_number) FROM chain_cursors)`;
const selectTransactions: Statement = {
  name: 'positions_transactions',
  text: `SELECT ${selectListOf(transactionFields.filter((field) => field !== 'group'))}, "group"
         FROM position_transactions
         WHERE position_key = $1 AND ${finalised} ORDER BY block_number, log_index`,
};
const selectUnwinds: Statement = {
  name: 'positions_unwinds',
  text: `SELECT ${selectListOf(unwindFields)} FROM position_unwinds WHERE position_key = $1 ORDER BY sequence`,
};
const selectPartialCloses: Statement = {
  name: 'positions_partial_closes',
  text: `SELECT ${selectListOf(partialCloseFields)} FROM position_partial_closes
         WHERE position_key = $1 AND ${finalised} ORDER BY sequence`,
};
const selectOpenTokens: Statement = {
  name: 'positions_open_tokens',
  text: `SELECT venue_token_id AS "tokenId", sum(token_units)::bigint AS "tokenUnits" FROM positions
         WHERE chain_state = 'open' AND principal_usdc_units > 0 GROUP BY venue_token_id`,
};
/** In one order everywhere, so that two transactions never wait for each other in a circle. */
const lockProjections: Statement = {
  name: 'positions_lock_projections',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('position:' || lower(key), 0))
         FROM (SELECT key FROM unnest($1::text[]) AS key ORDER BY lower(key) COLLATE "C") AS ordered`,
};
/**
 * A projection does not know what was said of its row meanwhile: that it is frozen, or that those who follow changes
 * are to take it in again.
 */
const keptFields: ReadonlySet<string> = new Set(['positionKey', 'frozenReason', 'updatedBlockNumber']);
const upsert: Statement = {
  name: 'positions_put',
  text: `${insertTextOf('positions', columnFields)} ON CONFLICT (position_key) DO UPDATE SET
         ${excludedListOf(columnFields.filter((field) => !keptFields.has(field)))},
         frozen_reason = coalesce(positions.frozen_reason, EXCLUDED.frozen_reason),
         updated_block_number = greatest(positions.updated_block_number, EXCLUDED.updated_block_number)`,
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
const clear: Statement = {
  name: 'positions_clear',
  text: `WITH transactions AS (DELETE FROM position_transactions WHERE position_key = $1),
           unwinds AS (DELETE FROM position_unwinds WHERE position_key = $1)
         DELETE FROM position_partial_closes WHERE position_key = $1`,
};
const remove: Statement = { name: 'positions_remove', text: 'DELETE FROM positions WHERE position_key = $1' };
const freeze: Statement = {
  name: 'positions_freeze',
  text: `UPDATE positions SET ${columnOf('frozenReason')} = $2 WHERE position_key = $1`,
};
const selectFrozen: Statement = {
  name: 'positions_frozen',
  text: `SELECT ${columns} FROM positions WHERE frozen_reason IS NOT NULL ORDER BY created_at, id LIMIT $1`,
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

export function createPositions(sql: Sql): PositionStore {
  const source = { sql, columns: listedColumns, remembered: new RememberedPositions() };
  return {
    list: (query) => listPositions(source, query),
    findOwn: ({ id, partnerId, walletAddress }) => sql.row<ListedPosition>(selectOwn, [id, partnerId, walletAddress]),
    active: (query) => listActive(sql, query),
    activeOfMarket: (marketId) => sql.rows<Position>(selectActiveOfMarket, [marketId]),
    byKey: (positionKey) => sql.row<Position>(selectByKey, [positionKey]),
    byId: (id) => sql.row<Position>(selectById, [id]),
    inStatuses: (statuses) => sql.rows<Position>(selectInStatuses, [statuses]),
    statuses: (of) =>
      'statuses' in of
        ? sql.rows(selectStatusesIn, [of.statuses])
        : sql.rows(selectStatusesOf, [of.positionKeys.map((positionKey) => positionKey.toLowerCase())]),
    changedSince: (blockNumber) => sql.rows<Position>(selectChangedSince, [blockNumber]),
    transactions: (positionKey) => sql.rows<PositionTransaction>(selectTransactions, [positionKey]),
    unwinds: (positionKey) => sql.rows<PositionUnwind>(selectUnwinds, [positionKey]),
    partialCloses: (positionKey) => sql.rows<PositionPartialClose>(selectPartialCloses, [positionKey]),
    async openTokenUnits() {
      const rows = await sql.rows<{ tokenId: string; tokenUnits: bigint }>(selectOpenTokens);
      return new Map(rows.map(({ tokenId, tokenUnits }) => [tokenId, tokenUnits]));
    },
    async lockProjections(positionKeys) {
      if (positionKeys.length > 0) await sql.count(lockProjections, [positionKeys]);
    },
    put: (projection) => put(sql, projection),
    async remove(positionKey) {
      await sql.count(clear, [positionKey]);
      await sql.count(remove, [positionKey]);
    },
    async freeze(positionKey, frozenReason) {
      return (await sql.count(freeze, [positionKey, frozenReason])) === 1;
    },
    frozen: (limit) => sql.rows<Position>(selectFrozen, [limit]),
    async unfreeze(positionKey) {
      await sql.count(lockProjections, [[positionKey]]);
      await sql.count(holdCursors);
      return (await sql.count(unfreeze, [positionKey])) === 1;
    },
    async markChanged(positionKeys, blockNumber) {
      if (positionKeys.length > 0) await sql.count(markChanged, [positionKeys, blockNumber]);
    },
  };
}

async function listActive(sql: Sql, { partnerId, walletAddress, after, limit }: ActiveQuery): Promise<ActivePage> {
  const statement = walletAddress === null ? selectActiveOfPartner : selectActiveOfWallet;
  const values = [partnerId, walletAddress ?? after?.walletAddress ?? '', after?.id ?? '', limit + 1];
  const rows = await sql.rows<ListedPosition>(statement, values);
  return { positions: rows.slice(0, limit), hasMore: rows.length > limit };
}

/** A projection has few rows, so it is replaced whole: no merge can leave something of an abandoned branch behind. */
async function put(sql: Sql, projection: PositionHistory): Promise<void> {
  const { position } = projection;
  const { positionKey } = position;
  await sql.count(upsert, valuesOf(columnFields, { ...position, walletAddress: position.walletAddress.toLowerCase() }));
  await sql.count(clear, [positionKey]);
  const owned = <Row extends object>(rows: readonly Row[]) => rows.map((row) => ({ positionKey, ...row }));
  await putTransactions(sql, owned(projection.transactions));
  await putUnwinds(sql, owned(projection.unwinds));
  await putPartialCloses(sql, owned(projection.partialCloses));
}
