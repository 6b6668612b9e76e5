import { removeOldest } from '../database/removeOldest.ts';
import type { Sql, Statement } from '../database/sql.ts';
import type { ExitStore, ExitSummary, ExitTimeRecord } from './exits.ts';

const insertSales: Statement = {
  name: 'exits_add',
  text: `INSERT INTO exit_sales (position_key, due_at, category, duration_ms)
         SELECT * FROM unnest($1::text[], $2::timestamptz[], $3::text[], $4::int[]) ON CONFLICT DO NOTHING`,
};
/** A wait counts as soon as it is longer than what nearly all sales took: a shorter one says nothing yet. */
const selectSummaries: Statement = {
  name: 'exits_summaries',
  text: `WITH ended AS (SELECT category, duration_ms FROM exit_sales WHERE due_at >= $1),
           usual AS (SELECT category, percentile_disc(0.95) WITHIN GROUP (ORDER BY duration_ms) AS p95_ms
                     FROM ended GROUP BY category),
           lasting AS (SELECT category, duration_ms FROM unnest($2::text[], $3::int[]) AS wait (category, duration_ms)
                       LEFT JOIN usual USING (category) WHERE duration_ms > coalesce(p95_ms, 0))
         SELECT category, count(*)::int AS "saleCount",
                percentile_disc(0.95) WITHIN GROUP (ORDER BY duration_ms) AS "p95Ms"
         FROM (SELECT * FROM ended UNION ALL SELECT * FROM lasting) AS exits GROUP BY category ORDER BY category`,
};
const selectTimes: Statement = {
  name: 'exits_times',
  text: `SELECT category, exit_seconds AS "exitSeconds", changed_at AS "changedAtMs" FROM exit_times ORDER BY category`,
};
const upsertTime: Statement = {
  name: 'exits_set_time',
  text: `INSERT INTO exit_times (category, exit_seconds, changed_at) VALUES ($1, $2, $3)
         ON CONFLICT (category) DO UPDATE SET exit_seconds = EXCLUDED.exit_seconds, changed_at = EXCLUDED.changed_at`,
};
const removeOld = removeOldest({ name: 'exits_remove_old', table: 'exit_sales', column: 'due_at', comparison: '<' });

export function createExits(sql: Sql): ExitStore {
  return {
    async add(sales) {
      if (sales.length === 0) return;
      await sql.count(insertSales, [
        sales.map(({ positionKey }) => positionKey),
        sales.map(({ dueAtMs }) => new Date(dueAtMs)),
        sales.map(({ category }) => category),
        sales.map(({ durationMs }) => Math.round(durationMs)),
      ]);
    },
    summaries: (sinceMs, waiting) =>
      sql.rows<ExitSummary>(selectSummaries, [
        new Date(sinceMs),
        waiting.map(({ category }) => category),
        waiting.map(({ durationMs }) => Math.round(durationMs)),
      ]),
    times: () => sql.rows<ExitTimeRecord>(selectTimes),
    async setTime({ category, exitSeconds, changedAtMs }) {
      await sql.count(upsertTime, [category, exitSeconds, new Date(changedAtMs)]);
    },
    removeOlderThan: (beforeMs, limit) => sql.count(removeOld, [new Date(beforeMs), limit]),
  };
}
