import { selectListOf } from '../database/columns.ts';
import type { Sql, Statement } from '../database/sql.ts';
import { announceChange, announceMove, announceToPositions } from './announceMarket.ts';
import { listFinalized } from './finalizedMarkets.ts';
import { marketGroups } from './marketGroups.ts';
import { columns, type MarketRow, marketFields, recordOf, touched } from './marketRows.ts';
import type { DueMarket, MarketPayouts, MarketRecord, MarketStore, StatusMove } from './markets.ts';
import { marketTransitions } from './marketTransitions.ts';
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
const lockByVenueMarket = selectBy('lock_by_venue_market', 'venue_market_id = lower($1) FOR SHARE');
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
const moveStatus: Statement = {
  name: 'markets_move_status',
  text: `UPDATE markets SET status = $3, ${touched} WHERE id = $1 AND status = ANY($4) RETURNING ${columns}`,
};
const lockUnresolved: Statement = {
  name: 'markets_lock_unresolved',
  text: `SELECT ${columns} FROM markets WHERE status <> 'finalized' AND close_time <= $1 AND payout_denominator IS NULL
           AND unresolved_at IS NULL ORDER BY close_time, id LIMIT $2 FOR UPDATE`,
};
const markUnresolved: Statement = {
  name: 'markets_mark_unresolved',
  text: 'UPDATE markets SET unresolved_at = $2 WHERE id = ANY($1)',
};
const recordOutcome: Statement = {
  name: 'markets_outcome',
  text: `UPDATE markets SET yes_outcome_id = CASE WHEN yes_token_id = $1 THEN $3 ELSE yes_outcome_id END,
           no_outcome_id = CASE WHEN no_token_id = $1 THEN $3 ELSE no_outcome_id END, ${touched}
         WHERE (yes_token_id = $1 AND yes_outcome_id IS DISTINCT FROM $3)
            OR (no_token_id = $1 AND no_outcome_id IS DISTINCT FROM $3) RETURNING ${columns}`,
};
const recordPayouts: Statement = {
  name: 'markets_payouts',
  text: `UPDATE markets SET payout_numerators = $3, payout_denominator = $4,
           payouts_reported_at = coalesce(payouts_reported_at, $2), ${touched}
         WHERE venue_market_id = lower($1)
           AND (payout_numerators IS DISTINCT FROM $3 OR payout_denominator IS DISTINCT FROM $4)`,
};
const setDisabled: Statement = {
  name: 'markets_disable',
  text: `UPDATE markets SET disabled_reason = $3, ${touched} WHERE id = $1 RETURNING ${columns}`,
};

/** `sql` must be a transaction for what changes a market, so that its outbox events and rows commit together. */
export function createMarkets(sql: Sql): MarketStore {
  const one = async (statement: Statement, value: string): Promise<MarketRecord | null> => {
    const row = await sql.row<MarketRow>(statement, [value]);
    return row === null ? null : recordOf(row);
  };
  const several = async (statement: Statement, values: readonly unknown[] = []): Promise<readonly MarketRecord[]> =>
    (await sql.rows<MarketRow>(statement, values)).map(recordOf);
  const version = async (): Promise<bigint> => (await sql.row<{ version: bigint }>(selectVersion))?.version ?? 0n;
  return {
    byTicker: (ticker) => one(selectByTicker, ticker),
    byId: (id) => one(selectById, id),
    byTokenId: (tokenId) => one(selectByToken, tokenId),
    byVenueMarketId: (venueMarketId) => one(selectByVenueMarket, venueMarketId),
    lockByVenueMarketId: (venueMarketId) => one(lockByVenueMarket, venueMarketId),
    unregistered: ({ except, limit }) => sql.rows<DueMarket>(selectUnregistered, [except, limit]),
    unresolved: ({ nowMs, except, limit }) =>
      sql.rows<DueMarket>(selectUnresolved, [new Date(nowMs), except.map(dueKeyOf), limit]),
    async unfinalized() {
      // The version first: what changes between the two reads is read again, and never missed.
      const latest = await version();
      return { records: await several(selectUnfinalized), version: latest };
    },
    async listFinalized(query) {
      const page = await listFinalized<MarketRow>(sql, query, marketFields);
      return { ...page, rows: page.rows.map(recordOf) };
    },
    ...marketGroups(sql),
    version,
    changedSince: (after) => several(selectChanged, [after]),
    sync: (listed, nowMs) => syncMarkets(sql, listed, nowMs),
    async moveStatus(id, status, nowMs): Promise<StatusMove> {
      const allowed = Object.entries(marketTransitions).filter(([, targets]) => targets.includes(status));
      const from = allowed.map(([source]) => source);
      const row = await sql.row<MarketRow>(moveStatus, [id, new Date(nowMs), status, from]);
      if (row !== null) {
        await announceMove(sql, recordOf(row), nowMs);
        return 'moved';
      }
      const market = await one(selectById, id);
      if (market === null) {
        return 'unknown_market';
      }
      return market.status === status ? 'unchanged' : 'illegal';
    },
    async announceUnresolved({ closedBeforeMs, nowMs, limit }) {
      const rows = await sql.rows<MarketRow>(lockUnresolved, [new Date(closedBeforeMs), limit]);
      if (rows.length === 0) return 0;
      await sql.count(markUnresolved, [rows.map(({ id }) => id), new Date(nowMs)]);
      for (const row of rows) {
        await announceToPositions(sql, { market: recordOf(row), type: 'position.settlement_state_changed', nowMs });
      }
      return rows.length;
    },
    async recordOutcomes(outcomes, nowMs) {
      for (const { tokenId, outcomeId } of outcomes) {
        const row = await sql.row<MarketRow>(recordOutcome, [tokenId, new Date(nowMs), outcomeId]);
        // Only a market whose both outcomes the vault knows can take positions: until then nothing shows.
        if (row !== null && row.yesOutcomeId !== null && row.noOutcomeId !== null) {
          await announceChange(sql, { market: recordOf(row), changed: ['yesOutcomeId', 'noOutcomeId'], nowMs });
        }
      }
    },
    recordPayouts: (payouts) => storePayouts(sql, payouts),
    async setDisabled(id, disabledReason, nowMs) {
      const row = await sql.row<MarketRow>(setDisabled, [id, new Date(nowMs), disabledReason]);
      if (row !== null) await announceChange(sql, { market: recordOf(row), changed: ['disabledReason'], nowMs });
      return row !== null;
    },
  };
}

const dueKeyOf = ({ id, status }: Pick<DueMarket, 'id' | 'status'>): string => `${id}:${status}`;

async function storePayouts(
  sql: Sql,
  { venueMarketId, numerators, denominator, nowMs }: MarketPayouts,
): Promise<boolean> {
  const values = [venueMarketId, new Date(nowMs), numerators.map(String), denominator.toString()];
  return (await sql.count(recordPayouts, values)) === 1;
}
