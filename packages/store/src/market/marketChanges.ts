import { type MarketRecord, type MarketRow, type MarketStatus, marketRecordOf } from '@core/market';
import type { Sql, Statement } from '../database/sql.ts';
import { announceChange, announceMove, announceToPositions } from './announceMarket.ts';

import { columns, touched } from './marketRows.ts';
import type { StatusMove } from './markets.ts';
import { marketTransitions } from './marketTransitions.ts';

const moveStatus: Statement = {
  name: 'markets_move_status',
  text: `UPDATE markets SET status = $3, ${touched} WHERE id = $1 AND status = ANY($4) RETURNING ${columns}`,
};
const unannounced = "status <> 'finalized' AND payout_denominator IS NULL AND unresolved_at IS NULL";
const selectUnannounced: Statement = {
  name: 'markets_unannounced',
  text: `SELECT id FROM markets WHERE ${unannounced} AND close_time <= $1 AND id <> ALL($2)
         ORDER BY close_time, id LIMIT $3`,
};
const markUnresolved: Statement = {
  name: 'markets_mark_unresolved',
  text: `UPDATE markets SET unresolved_at = $2 WHERE id = $1 AND ${unannounced} RETURNING ${columns}`,
};
const recordOutcome: Statement = {
  name: 'markets_outcome',
  text: `UPDATE markets SET yes_outcome_id = CASE WHEN yes_token_id = $1 THEN $3 ELSE yes_outcome_id END,
           no_outcome_id = CASE WHEN no_token_id = $1 THEN $3 ELSE no_outcome_id END, ${touched}
         WHERE (yes_token_id = $1 AND yes_outcome_id IS DISTINCT FROM $3)
            OR (no_token_id = $1 AND no_outcome_id IS DISTINCT FROM $3) RETURNING ${columns}`,
};
const setDisabled: Statement = {
  name: 'markets_disable',
  text: `UPDATE markets SET disabled_reason = $3, ${touched} WHERE id = $1 RETURNING ${columns}`,
};

/** Changes of markets with their events. `sql` is a transaction. */
export function marketChanges(sql: Sql, byId: (id: string) => Promise<MarketRecord | null>) {
  return {
    /**
     * active → closed → determined → finalized; closed, determined ↔ disputed. Writes an event for the market and for
     * each of its positions that is not finished.
     */
    async moveStatus(id: string, status: MarketStatus, nowMs: number): Promise<StatusMove> {
      const sources = Object.entries(marketTransitions).filter(([, targets]) => targets.includes(status));
      const from = sources.map(([source]) => source);
      const row = await sql.row<MarketRow>(moveStatus, [id, new Date(nowMs), status, from]);
      if (row !== null) {
        await announceMove(sql, marketRecordOf(row), nowMs);
        return 'moved';
      }
      const market = await byId(id);
      if (market === null) {
        return 'unknown_market';
      }
      return market.status === status ? 'unchanged' : 'illegal';
    },
    /** Ids of markets that closed before an instant, have no payouts and were not announced; without those named. */
    async unannounced({
      closedBeforeMs,
      except,
      limit,
    }: {
      readonly closedBeforeMs: number;
      readonly except: readonly string[];
      readonly limit: number;
    }): Promise<readonly string[]> {
      const rows = await sql.rows<{ id: string }>(selectUnannounced, [new Date(closedBeforeMs), except, limit]);
      return rows.map(({ id }) => id);
    },
    /** Announce the positions of a market that has no payouts, once. False when there is nothing to announce. */
    async announceUnresolved(id: string, nowMs: number): Promise<boolean> {
      const row = await sql.row<MarketRow>(markUnresolved, [id, new Date(nowMs)]);
      if (row === null) return false;
      await announceToPositions(sql, { market: marketRecordOf(row), type: 'position.settlement_state_changed', nowMs });
      return true;
    },
    async recordOutcomes(
      outcomes: readonly { readonly tokenId: string; readonly outcomeId: number }[],
      nowMs: number,
    ): Promise<void> {
      for (const { tokenId, outcomeId } of outcomes) {
        const row = await sql.row<MarketRow>(recordOutcome, [tokenId, new Date(nowMs), outcomeId]);
        // Only a market whose both outcomes the vault knows can take positions: until then nothing shows.
        if (row !== null && row.yesOutcomeId !== null && row.noOutcomeId !== null) {
          await announceChange(sql, { market: marketRecordOf(row), changed: ['yesOutcomeId', 'noOutcomeId'], nowMs });
        }
      }
    },
    /** A null reason enables the market again; an empty one disables it without a reason. */
    async setDisabled(id: string, disabledReason: string | null, nowMs: number): Promise<boolean> {
      const row = await sql.row<MarketRow>(setDisabled, [id, new Date(nowMs), disabledReason]);
      if (row !== null) await announceChange(sql, { market: marketRecordOf(row), changed: ['disabledReason'], nowMs });
      return row !== null;
    },
  };
}
