import {
  activeStatuses,
  type Position,
  type PositionLedgerRow,
  type PositionPartialClose,
  type PositionStatus,
  type PositionTransaction,
} from '@core/position';
import { selectListOf } from '../database/columns.ts';

import type { Sql, Statement } from '../database/sql.ts';
import { columnFields, ledgerFields, partialCloseFields, transactionFields } from './columnFields.ts';
import { listPositions } from './listPositions.ts';
import { positionChanges } from './positionChanges.ts';
import type { positionReads } from './positionReads.ts';
import type {
  ActivePage,
  ActiveQuery,
  ListedPosition,
  PositionListQuery,
  PositionOwner,
  PositionPage,
} from './positions.ts';
import { RememberedPositions } from './rememberedPositions.ts';

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
const selectByKeys: Statement = {
  name: 'positions_by_keys',
  text: `SELECT ${columns} FROM positions WHERE position_key = ANY($1)`,
};
const statusColumns = selectListOf(['positionKey', 'status', 'marketId', 'venueMarketId']);
const selectStatusesIn: Statement = {
  name: 'positions_statuses_in',
  text: `SELECT ${statusColumns} FROM positions
         WHERE status = ANY($1) AND frozen_reason IS NULL ORDER BY created_at, id`,
};
const selectStatusesOf: Statement = {
  name: 'positions_statuses_of',
  text: `SELECT ${statusColumns} FROM positions
         WHERE position_key = ANY($1) AND frozen_reason IS NULL`,
};
/** The condition of the index `positions_unlisted`. */
const unlisted = `position.market_id IS NULL AND ${active}`;
const selectUnlisted: Statement = {
  name: 'positions_unlisted',
  text: `SELECT ${statusColumns} FROM positions AS position WHERE ${unlisted} AND venue_market_id <> ALL($1)
         ORDER BY created_at, id LIMIT $2`,
};
/** Counts of positions that lack something, or that await an operator. */
interface LackingCounts {
  readonly unquoted: number;
  readonly unlisted: number;
  readonly frozen: number;
}
/** The conditions of the indexes `positions_unquoted` and `positions_frozen`, and that above. */
const countLacking: Statement = {
  name: 'positions_lacking',
  text: `SELECT (SELECT count(*)::integer FROM positions AS position WHERE position.quote_id IS NULL AND ${active})
             AS unquoted,
           (SELECT count(*)::integer FROM positions AS position WHERE ${unlisted}) AS unlisted,
           (SELECT count(*)::integer FROM positions WHERE frozen_reason IS NOT NULL) AS frozen`,
};
/** Only what no reorganisation can undo is listed. */
const finalised = `block_number <= (SELECT max(finalized_number) FROM chain_cursors)`;
const selectTransactions: Statement = {
  name: 'positions_transactions',
  text: `SELECT ${selectListOf(transactionFields.filter((field) => field !== 'group'))}, "group"
         FROM position_transactions
         WHERE position_key = $1 AND ${finalised} ORDER BY block_number, log_index`,
};
const selectPartialCloses: Statement = {
  name: 'positions_partial_closes',
  text: `SELECT ${selectListOf(partialCloseFields)} FROM position_partial_closes
         WHERE position_key = $1 AND ${finalised} ORDER BY sequence`,
};
const selectLedgers: Statement = {
  name: 'positions_ledgers',
  text: `SELECT position_key AS "positionKey", ${selectListOf(ledgerFields)} FROM position_ledger_rows
         WHERE position_key = ANY($1) ORDER BY position_key, sequence`,
};

export function createPositions(sql: Sql) {
  const source = { sql, columns: listedColumns, remembered: new RememberedPositions() };
  return {
    /** One page, keyset-paginated: ties by id, positions without `closed_at` last in both directions. */
    list: (query: PositionListQuery): Promise<PositionPage> => listPositions(source, query),
    /** Null when unknown or another's. */
    findOwn: ({ id, partnerId, walletAddress }: PositionOwner): Promise<ListedPosition | null> =>
      sql.row<ListedPosition>(selectOwn, [id, partnerId, walletAddress]),
    /** Positions that are not finished, by wallet and id. */
    active: (query: ActiveQuery): Promise<ActivePage> => listActive(sql, query),
    /** Positions of a market that are not finished. */
    activeOfMarket: (marketId: string): Promise<readonly Position[]> =>
      sql.rows<Position>(selectActiveOfMarket, [marketId]),
    /** Return the positions with these keys, in no order. */
    byKeys: (positionKeys: readonly string[]): Promise<readonly Position[]> =>
      sql.rows<Position>(selectByKeys, [positionKeys.map((positionKey) => positionKey.toLowerCase())]),
    /** Return what is needed before a position is worked on, without frozen ones: by statuses or by keys. */
    statuses: (
      of: { readonly statuses: readonly PositionStatus[] } | { readonly positionKeys: readonly string[] },
    ): Promise<readonly Pick<Position, 'positionKey' | 'status' | 'marketId' | 'venueMarketId'>[]> =>
      'statuses' in of
        ? sql.rows(selectStatusesIn, [of.statuses])
        : sql.rows(selectStatusesOf, [of.positionKeys.map((positionKey) => positionKey.toLowerCase())]),
    /** Positions that are not finished and whose market is not listed, oldest first; without those of some markets. */
    unlisted: ({
      exceptVenueMarketIds,
      limit,
    }: {
      readonly exceptVenueMarketIds: readonly string[];
      readonly limit: number;
    }): Promise<readonly Pick<Position, 'positionKey' | 'status' | 'marketId' | 'venueMarketId'>[]> =>
      sql.rows(selectUnlisted, [exceptVenueMarketIds, limit]),
    /** Return how many active positions have no stored quote, how many no listed market, and how many are frozen. */
    lackingCounts: async (): Promise<LackingCounts> =>
      (await sql.row<LackingCounts>(countLacking)) ?? { unquoted: 0, unlisted: 0, frozen: 0 },
    /** In chain order; only up to the finalised block. */
    transactions: (positionKey: string): Promise<readonly PositionTransaction[]> =>
      sql.rows<PositionTransaction>(selectTransactions, [positionKey]),
    partialCloses: (positionKey: string): Promise<readonly PositionPartialClose[]> =>
      sql.rows<PositionPartialClose>(selectPartialCloses, [positionKey]),
    /** Return the rows of the ledgers of positions, of each in order of the chain. */
    ledgers: (
      positionKeys: readonly string[],
    ): Promise<readonly (PositionLedgerRow & { readonly positionKey: string })[]> =>
      sql.rows(selectLedgers, [positionKeys]),
    ...positionChanges(sql),
  };
}

async function listActive(sql: Sql, { partnerId, walletAddress, after, limit }: ActiveQuery): Promise<ActivePage> {
  const statement = walletAddress === null ? selectActiveOfPartner : selectActiveOfWallet;
  const values = [partnerId, walletAddress ?? after?.walletAddress ?? '', after?.id ?? '', limit + 1];
  const rows = await sql.rows<ListedPosition>(statement, values);
  return { positions: rows.slice(0, limit), hasMore: rows.length > limit };
}

export type PositionStore = ReturnType<typeof createPositions> & ReturnType<typeof positionReads>;
