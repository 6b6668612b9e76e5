import type { WorldReport } from './worldRequest.ts';

/** Lines of a document between which the table is stored. */
export const tableMarks = ['<!-- written by `simulate fills` -->', '<!-- end of the fills -->'] as const;

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
  const ruled = [columns, columns.map(() => '---'), ...lines];
  return ruled.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/**
 * Return a document with another table between the marks.
 * @throws Error for a document without them.
 */
export function withFillTable(document: string, table: string): string {
  const [begin, end] = tableMarks;
  const [first, last] = [document.indexOf(begin), document.indexOf(end)];
  if (first < 0 || last < first) throw new Error(`the document has no place for the table: ${begin}`);
  return `${document.slice(0, first + begin.length)}\n${table}\n${document.slice(last)}`;
}
