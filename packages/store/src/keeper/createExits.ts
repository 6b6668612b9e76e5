import { recordsOf } from '../database/columns.ts';
import { removeOldest } from '../database/removeOldest.ts';
import type { Sql, Statement } from '../database/sql.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';

/** A measured forced sale: from the observation of the due debt to its repayment. */
export interface ExitSale {
  readonly positionKey: string;
  readonly category: string;
  /** On the service clock. */
  readonly dueAtMs: number;
  readonly durationMs: number;
}

/** A forced sale that is due and not done, with its duration so far. */
export type ExitWait = Pick<ExitSale, 'category' | 'durationMs'>;

/** Durations of the forced sales of a category. */
export interface ExitSummary {
  readonly category: string;
  readonly saleCount: number;
  /** 95th percentile: the smallest duration that at most a twentieth of the sales exceed. */
  readonly p95Ms: number;
}

/** Exit time on which quotes of a category depend. */
export interface ExitTimeRecord {
  readonly category: string;
  readonly exitSeconds: number;
  /** On the service clock. */
  readonly changedAtMs: number;
}

/** A waiting sale counts once it lasts longer than 95 % of the sales took: a shorter wait is no evidence yet. */
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
const removeOld = removeOldest({ name: 'exits_remove_old', table: 'exit_sales', column: 'due_at', comparison: '<' });
const timeRecords = recordsOf<ExitTimeRecord>(['category', 'exitSeconds', 'changedAtMs']);

export function createExits(prisma: PrismaClient, sql: Sql) {
  return {
    /** Store measured sales; a sale that is stored already does not change. */
    async add(sales: readonly ExitSale[]): Promise<void> {
      const data = sales.map(({ positionKey, category, dueAtMs, durationMs }) => {
        return { positionKey, category, dueAt: new Date(dueAtMs), durationMs: Math.round(durationMs) };
      });
      await prisma.exitSale.createMany({ data, skipDuplicates: true });
    },
    /**
     * Of the sales that became due since then, by category; a category without any is absent. A debt that waits counts
     * with how long it has waited, once that is longer than what 95 % of the sales took.
     */
    summaries: (sinceMs: number, waiting: readonly ExitWait[]): Promise<readonly ExitSummary[]> =>
      sql.rows<ExitSummary>(selectSummaries, [
        new Date(sinceMs),
        waiting.map(({ category }) => category),
        waiting.map(({ durationMs }) => Math.round(durationMs)),
      ]),
    /** Exit times by category. */
    times: (): Promise<readonly ExitTimeRecord[]> =>
      timeRecords.many(prisma.exitTime.findMany({ orderBy: { category: 'asc' } })),
    async setTime({ category, exitSeconds, changedAtMs }: ExitTimeRecord): Promise<void> {
      const row = { exitSeconds, changedAt: new Date(changedAtMs) };
      await prisma.exitTime.upsert({ where: { category }, create: { category, ...row }, update: row });
    },
    /** Delete at most `limit` sales that became due before that instant. Return their number. */
    removeOlderThan: (beforeMs: number, limit: number): Promise<number> =>
      sql.count(removeOld, [new Date(beforeMs), limit]),
  };
}

export type ExitStore = ReturnType<typeof createExits>;
