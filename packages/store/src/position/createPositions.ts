import { columnOf, excludedListOf, insertTextOf, selectListOf, valuesOf } from '../database/columns.ts';
import type { Sql, Statement } from '../database/sql.ts';
import { listPositions } from './listPositions.ts';
import { positionFields } from './positionFields.ts';
import type {
  PositionPartialCloseRecord,
  PositionProjection,
  PositionRecord,
  PositionTransactionRecord,
  PositionUnwindRecord,
} from './positionRecord.ts';
import type { ListedPosition, PositionStore } from './positions.ts';

const transactionFields = [
  'group',
  'transactionHash',
  'blockNumber',
  'logIndex',
  'routed',
  'exchangeTransactionHashes',
] as const satisfies readonly (keyof PositionTransactionRecord)[];
const unwindFields = [
  'sequence',
  'executedAtMs',
  'beforeLeverageBps',
  'afterLeverageBps',
  'reason',
  'blockNumber',
] as const satisfies readonly (keyof PositionUnwindRecord)[];
const partialCloseFields = [
  'sequence',
  'executedAtMs',
  'soldTokenUnits',
  'saleProceedsUsdcUnits',
  'capitalRepaidUsdcUnits',
  'userPayoutUsdcUnits',
  'remainingTokenUnits',
  'newLeverageBps',
  'blockNumber',
] as const satisfies readonly (keyof PositionPartialCloseRecord)[];

const columns = selectListOf(positionFields);
const listed = `SELECT ${selectListOf(positionFields, 'position')}, market.ticker AS "marketTicker",
  market.title AS "marketTitle" FROM positions AS position JOIN markets AS market ON market.id = position.market_id`;

const selectOwn: Statement = {
  name: 'positions_own',
  text: `${listed} WHERE position.id = $1 AND position.partner_id = $2 AND position.wallet_address = lower($3)`,
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
const selectChangedSince: Statement = {
  name: 'positions_changed_since',
  text: `SELECT ${columns} FROM positions WHERE updated_block_number >= $1 AND frozen_reason IS NULL
         ORDER BY updated_block_number, id`,
};
const selectOfMarket: Statement = {
  name: 'positions_of_market',
  text: `SELECT ${columns} FROM positions WHERE market_id = $1 ORDER BY created_at, id`,
};
/** Only what no reorganisation can undo is listed. */
const finalised = `block_number <= (SELECT max(finalized_number) FROM chain_cursors)`;
const selectTransactions: Statement = {
  name: 'positions_transactions',
  text: `SELECT ${selectListOf(transactionFields.filter((field) => field !== 'group'))}, "group" FROM position_transactions
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
         WHERE chain_state = 'open' GROUP BY venue_token_id`,
};
const lockProjection: Statement = {
  name: 'positions_lock_projection',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('position:' || lower($1), 0))`,
};
const upsert: Statement = {
  name: 'positions_put',
  text: `${insertTextOf('positions', positionFields)} ON CONFLICT (position_key) DO UPDATE SET
         ${excludedListOf(positionFields.filter((field) => field !== 'positionKey' && field !== 'frozenReason'))},
         frozen_reason = coalesce(positions.frozen_reason, EXCLUDED.frozen_reason)`,
};
const insertTransaction: Statement = {
  name: 'positions_put_transaction',
  text: insertTextOf('position_transactions', ['positionKey', ...transactionFields]).replace(' group,', ' "group",'),
};
const insertUnwind: Statement = {
  name: 'positions_put_unwind',
  text: insertTextOf('position_unwinds', ['positionKey', ...unwindFields]),
};
const insertPartialClose: Statement = {
  name: 'positions_put_partial_close',
  text: insertTextOf('position_partial_closes', ['positionKey', ...partialCloseFields]),
};
const removals: readonly Statement[] = [
  { name: 'positions_clear_transactions', text: 'DELETE FROM position_transactions WHERE position_key = $1' },
  { name: 'positions_clear_unwinds', text: 'DELETE FROM position_unwinds WHERE position_key = $1' },
  { name: 'positions_clear_partial_closes', text: 'DELETE FROM position_partial_closes WHERE position_key = $1' },
];
const remove: Statement = { name: 'positions_remove', text: 'DELETE FROM positions WHERE position_key = $1' };
const freeze: Statement = {
  name: 'positions_freeze',
  text: `UPDATE positions SET ${columnOf('frozenReason')} = $2 WHERE position_key = $1`,
};

export function createPositions(sql: Sql): PositionStore {
  const clear = async (positionKey: string): Promise<void> => {
    for (const statement of removals) {
      await sql.count(statement, [positionKey]);
    }
  };
  return {
    list: (query) => listPositions(sql, query, listed),
    findOwn: ({ id, partnerId, walletAddress }) => sql.row<ListedPosition>(selectOwn, [id, partnerId, walletAddress]),
    byKey: (positionKey) => sql.row<PositionRecord>(selectByKey, [positionKey]),
    byId: (id) => sql.row<PositionRecord>(selectById, [id]),
    inStatuses: (statuses) => sql.rows<PositionRecord>(selectInStatuses, [statuses]),
    changedSince: (blockNumber) => sql.rows<PositionRecord>(selectChangedSince, [blockNumber]),
    ofMarket: (marketId) => sql.rows<PositionRecord>(selectOfMarket, [marketId]),
    transactions: (positionKey) => sql.rows<PositionTransactionRecord>(selectTransactions, [positionKey]),
    unwinds: (positionKey) => sql.rows<PositionUnwindRecord>(selectUnwinds, [positionKey]),
    partialCloses: (positionKey) => sql.rows<PositionPartialCloseRecord>(selectPartialCloses, [positionKey]),
    async openTokenUnits() {
      const rows = await sql.rows<{ tokenId: string; tokenUnits: bigint }>(selectOpenTokens);
      return new Map(rows.map(({ tokenId, tokenUnits }) => [tokenId, tokenUnits]));
    },
    async lockProjections(positionKeys) {
      // In one order everywhere, so that two transactions never wait for each other in a circle.
      for (const positionKey of positionKeys.toSorted()) {
        await sql.count(lockProjection, [positionKey]);
      }
    },
    put: (projection) => put(sql, projection, clear),
    async remove(positionKey) {
      await clear(positionKey);
      await sql.count(remove, [positionKey]);
    },
    async freeze(positionKey, frozenReason) {
      return (await sql.count(freeze, [positionKey, frozenReason])) === 1;
    },
  };
}

/** A projection has few rows, so it is replaced whole: no merge can leave something of an abandoned branch behind. */
async function put(
  sql: Sql,
  projection: PositionProjection,
  clear: (positionKey: string) => Promise<void>,
): Promise<void> {
  const { position } = projection;
  const { positionKey } = position;
  await sql.count(
    upsert,
    valuesOf(positionFields, { ...position, walletAddress: position.walletAddress.toLowerCase() }),
  );
  await clear(positionKey);
  for (const transaction of projection.transactions) {
    await sql.count(insertTransaction, [positionKey, ...valuesOf(transactionFields, transaction)]);
  }
  for (const unwind of projection.unwinds) {
    await sql.count(insertUnwind, [positionKey, ...valuesOf(unwindFields, unwind)]);
  }
  for (const partialClose of projection.partialCloses) {
    await sql.count(insertPartialClose, [positionKey, ...valuesOf(partialCloseFields, partialClose)]);
  }
}
