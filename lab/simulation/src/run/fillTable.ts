import { tableOf } from './tables.ts';
import type { WorldReport } from './worldRequest.ts';

const columns = ['block', 'tick', 'step', 'due', '1st grant', '2nd', 'later', 'never', 'p50', 'p95'];

/** Return the rows over all markets as a Markdown table. */
export function fillTableOf(reports: readonly Pick<WorldReport, 'request' | 'fills'>[]): string {
  const lines = reports.flatMap(({ request: { physics }, fills }) =>
    fills
      .filter(({ market }) => market === 'all')
      .map(({ step, due, first, second, later, never, p50, p95 }) => {
        const seconds = [p50, p95].map((value) => (value === null ? '–' : `${value} s`));
        const pace = physics.blockMs === 0 ? 'at once' : `${physics.blockMs / 1_000} s`;
        return [pace, `${physics.tickPips / 100} c`, step, due, first, second, later, never, ...seconds];
      }),
  );
  return tableOf(columns, lines);
}
