import { type ListedMarket, type MarketRecord, type MarketRow, marketFields, marketRecordOf } from '@core/market';
import { fieldNamesOf, selectListOf } from '../database/columns.ts';
import type { Sql, Statement } from '../database/sql.ts';
import { type FinalizedPage, type FinalizedQuery, listFinalized } from './finalizedMarkets.ts';
import { marketChanges } from './marketChanges.ts';
import { marketGroups } from './marketGroups.ts';
import { marketPayouts } from './marketPayouts.ts';
import { columns } from './marketRows.ts';
import type { CatalogueChanges, DueMarket, UnregisteredMarket } from './markets.ts';

import { syncMarkets } from './syncMarkets.ts';

const dueFields = [
  'id',
  'ticker',
  'venueMarketId',
  'questionId',
  'oracleAddress',
  'yesTokenId',
  'noTokenId',
  'status',
  'closeTimeMs',
] as const satisfies readonly (keyof DueMarket)[];

const selectBy = (name: string, condition: string): Statement => ({
  name: `markets_${name}`,
  text: `SELECT ${columns} FROM markets WHERE ${condition}`,
});
const selectByTicker = selectBy('by_ticker', 'ticker = $1');
const selectById = selectBy('by_id', 'id = $1');
const selectByToken = selectBy('by_token', 'yes_token_id = $1 OR no_token_id = $1');
const selectByVenueMarket = selectBy('by_venue_market', 'venue_market_id = lower($1)');
/** In one order everywhere. */
const lockByVenueMarkets = selectBy(
  'lock_by_venue_markets',
  'venue_market_id = ANY($1) ORDER BY venue_market_id FOR SHARE',
);
const dueColumns = selectListOf(dueFields);
const unregistered = `status = 'active' AND oracle_address IS NOT NULL AND question_id IS NOT NULL
  AND (yes_outcome_id IS NULL OR no_outcome_id IS NULL)`;
/** The expression of the index `markets_unresolved`: from when on payouts may be on chain. */
const unresolvedFrom = `CASE
  WHEN status <> 'active' OR record ->> 'resolutionStatus' <> 'none' THEN '-infinity'::timestamptz
  ELSE coalesce(close_time, 'infinity'::timestamptz) END`;
export const selectUnregistered: Statement = {
  name: 'markets_unregistered',
  text: `SELECT ${dueColumns} FROM markets WHERE ${unregistered} AND id <> ALL($1) ORDER BY close_time, id LIMIT $2`,
};
export const selectUnresolved: Statement = {
  name: 'markets_unresolved',
  text: `SELECT ${dueColumns} FROM markets WHERE status <> 'finalized' AND (${unresolvedFrom}) <= $1
           AND id || ':' || status <> ALL($2) ORDER BY (${unresolvedFrom}) LIMIT $3`,
};
export const selectUnfinalized = selectBy('unfinalized', "status <> 'finalized'");
const selectVersion: Statement = {
  name: 'markets_version',
  text: 'SELECT version FROM markets ORDER BY version DESC LIMIT 1',
};
const selectChanged = selectBy('changed', 'version > $1 ORDER BY version');

/** `sql` must be a transaction for what changes a market, so that its outbox events and rows commit together. */
export function createMarkets(sql: Sql) {
  const one = async (statement: Statement, value: string): Promise<MarketRecord | null> => {
    const row = await sql.row<MarketRow>(statement, [value]);
    return row === null ? null : marketRecordOf(row);
  };
  const several = async (statement: Statement, values: readonly unknown[] = []): Promise<readonly MarketRecord[]> =>
    (await sql.rows<MarketRow>(statement, values)).map(marketRecordOf);
  const version = async (): Promise<bigint> => (await sql.row<{ version: bigint }>(selectVersion))?.version ?? 0n;
  return {
    byTicker: (ticker: string): Promise<MarketRecord | null> => one(selectByTicker, ticker),
    byId: (id: string): Promise<MarketRecord | null> => one(selectById, id),
    byTokenId: (tokenId: string): Promise<MarketRecord | null> => one(selectByToken, tokenId),
    byVenueMarketId: (venueMarketId: string): Promise<MarketRecord | null> => one(selectByVenueMarket, venueMarketId),
    /**
     * The same of several ids, unlisted ones left out. The markets are kept from changing until the transaction ends:
     * an event of a position then carries its market as it is when the event commits.
     */
    lockByVenueMarketIds: (venueMarketIds: readonly string[]): Promise<readonly MarketRecord[]> =>
      several(lockByVenueMarkets, [venueMarketIds.map((id) => id.toLowerCase())]),
    /** Active markets an outcome of which the vault does not know yet, soonest close first; without those named. */
    unregistered: ({
      except,
      limit,
    }: {
      readonly except: readonly string[];
      readonly limit: number;
    }): Promise<readonly UnregisteredMarket[]> => sql.rows<UnregisteredMarket>(selectUnregistered, [except, limit]),
    /**
     * Markets that are not final and may have payouts on chain: closed by time or by status, or with an oracle that
     * speaks. Without those named, as long as they have the status they are named with.
     */
    unresolved: ({
      nowMs,
      except,
      limit,
    }: {
      readonly nowMs: number;
      readonly except: readonly Pick<DueMarket, 'id' | 'status'>[];
      readonly limit: number;
    }): Promise<readonly DueMarket[]> =>
      sql.rows<DueMarket>(selectUnresolved, [new Date(nowMs), except.map(dueKeyOf), limit]),
    /** Every market that is not final, and the version up to which that is true. */
    async unfinalized(): Promise<{ readonly records: readonly MarketRecord[]; readonly version: bigint }> {
      // The version first: what changes between the two reads is read again, and never missed.
      const latest = await version();
      return { records: await several(selectUnfinalized), version: latest };
    },
    /** One page of finalized markets, cut by the database. */
    async listFinalized(query: FinalizedQuery): Promise<FinalizedPage<MarketRecord>> {
      const page = await listFinalized<MarketRow>(sql, query, fieldNamesOf(marketFields));
      return { ...page, rows: page.rows.map(marketRecordOf) };
    },
    ...marketGroups(sql),
    /** The version of the last change of any market; 0n without markets. */
    version,
    /** Markets changed after `version`, oldest change first. 0n gives all. */
    changedSince: (after: bigint): Promise<readonly MarketRecord[]> => several(selectChanged, [after]),
    /** Insert new markets as `active`, refresh the fields that the venue may change, and write outbox events. */
    sync: (listed: readonly ListedMarket[], nowMs: number): Promise<CatalogueChanges> =>
      syncMarkets(sql, listed, nowMs),
    ...marketPayouts(sql),
    ...marketChanges(sql, (id) => one(selectById, id)),
  };
}

const dueKeyOf = ({ id, status }: Pick<DueMarket, 'id' | 'status'>): string => `${id}:${status}`;

export type MarketStore = ReturnType<typeof createMarkets>;
