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
  /** False while the last grants ended unfilled: the category takes no quotes where the kind is `opening`. */
  hasFillers: z.boolean(),
});

/** Grants of one kind in one category, as a keeper reports them. */
export type FillReport = z.output<typeof fillReport>;

/** Name of the cause for which a service is not ready while no filler takes openings. */
export const openingsUnfilled = 'openings_unfilled';

/** Return true when openings of a category have no fillers and those of no other one were filled in the window. */
export function areOpeningsUnfilled(fills: readonly FillReport[]): boolean {
  const openings = fills.filter(({ kind }) => kind === 'opening');
  const areSomeFilled = openings.some(({ filledCount, hasFillers }) => hasFillers && filledCount > 0);
  return !areSomeFilled && openings.some(({ hasFillers }) => !hasFillers);
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
