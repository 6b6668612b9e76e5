import type { Sql, Statement } from '../database/sql.ts';
import { touched } from './marketRows.ts';
import type { MarketPayouts, SettlingMarket } from './markets.ts';

const recordPayouts: Statement = {
  name: 'markets_payouts',
  text: `UPDATE markets SET payout_numerators = $3, payout_denominator = $4,
           payouts_reported_at = coalesce(payouts_reported_at, $2), settling_after = '', ${touched}
         WHERE venue_market_id = lower($1)
           AND (payout_numerators IS DISTINCT FROM $3 OR payout_denominator IS DISTINCT FROM $4)`,
};
const selectSettling: Statement = {
  name: 'markets_settling',
  text: `SELECT id, ticker, settling_after AS "settledAfter" FROM markets
         WHERE settling_after IS NOT NULL AND id <> ALL($1) ORDER BY id LIMIT $2`,
};
const moveSettling: Statement = {
  name: 'markets_move_settling',
  text: 'UPDATE markets SET settling_after = $3 WHERE id = $1 AND settling_after = $2',
};

/** Payouts of markets, and the progress of settling their positions. */
export function marketPayouts(sql: Sql) {
  return {
    /** Store payouts; the positions of the market are then settled. False when they were stored before. */
    async recordPayouts({ venueMarketId, numerators, denominator, nowMs }: MarketPayouts): Promise<boolean> {
      const values = [venueMarketId, new Date(nowMs), numerators.map(String), denominator.toString()];
      return (await sql.count(recordPayouts, values)) === 1;
    },
    /** Markets with payouts of which some positions may not be settled yet, without those named. */
    settling: ({
      except,
      limit,
    }: {
      readonly except: readonly string[];
      readonly limit: number;
    }): Promise<readonly SettlingMarket[]> => sql.rows<SettlingMarket>(selectSettling, [except, limit]),
    /** Set the last settled position; null when all are. False when another process has set it. */
    async moveSettling(
      id: string,
      { from, to }: { readonly from: string; readonly to: string | null },
    ): Promise<boolean> {
      return (await sql.count(moveSettling, [id, from, to])) === 1;
    },
  };
}
