import { z } from 'zod';

export const fillReport = z.object({
  category: z.string(),
  kind: z.enum(['opening', 'sale']),
  /** Grants that ended in this time before the report. */
  windowMs: z.number(),
  filledCount: z.number(),
  unfilledCount: z.number(),
  lastFilledAtMs: z.number().nullable(),
  lastUnfilledAtMs: z.number().nullable(),
  /** False while the last grants ended unfilled: the category takes no quotes. */
  hasFillers: z.boolean(),
});

export const fillCost = z.object({
  category: z.string(),
  kind: z.enum(['opening', 'sale']),
  /** Value of a fill in USD that those of the class exceed. */
  minUsd: z.number(),
  /** Largest value of a fill in the class, in USD; null for the class of all larger ones. */
  maxUsd: z.number().nullable(),
  fillCount: z.number(),
  /** Share of the value at the reference of the kind (`FilledGrant`); below 0 for better fills. */
  costBps: z.number(),
});

/** Measured cost of the fills of a day, as a keeper reports it. */
export type FillCostReport = z.output<typeof fillCost>;

/** Grants of one kind in one category, as a keeper reports them. */
export type FillReport = z.output<typeof fillReport>;

/**
 * Return the causes for which a service is not ready, `openings_unfilled` and `sales_unfilled`: grants of the kind have
 * no fillers in one category, and were filled in no other one in the window.
 */
export function unfilledCausesOf(fills: readonly FillReport[]): readonly string[] {
  return (['opening', 'sale'] as const).flatMap((kind) => {
    const ofKind = fills.filter((report) => report.kind === kind);
    const areSomeFilled = ofKind.some(({ filledCount, hasFillers }) => hasFillers && filledCount > 0);
    return !areSomeFilled && ofKind.some(({ hasFillers }) => !hasFillers) ? [`${kind}s_unfilled`] : [];
  });
}

/** Return the fills of a keeper as the operational endpoints of keeper and API show them, with a sentence. */
export function presentFillReport(report: FillReport) {
  const { category, kind, windowMs, filledCount, unfilledCount } = report;
  const minutes = Math.round(windowMs / 60_000);
  const count = filledCount + unfilledCount;
  return {
    category,
    kind,
    filled_count: filledCount,
    unfilled_count: unfilledCount,
    last_filled_at_ms: report.lastFilledAtMs,
    last_unfilled_at_ms: report.lastUnfilledAtMs,
    has_fillers: report.hasFillers,
    summary: `${category} ${kind}s: ${filledCount} of ${count} grants of the last ${minutes} minutes were filled`,
  };
}
