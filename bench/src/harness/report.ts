import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import type { TrialResult } from '../trials/trials.ts';
import type { Measurement } from './measure.ts';
import type { Effort, Row } from './row.ts';

/** A row and what it measured. */
export interface RowResult {
  readonly row: Row;
  readonly measurement: Measurement;
}

function rateText(perSecond: number): string {
  return perSecond >= 1_000 ? `${Math.round(perSecond / 100) / 10} k/s` : `${Math.round(perSecond * 10) / 10} /s`;
}

function line(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, index) => cell.padEnd(widths[index] ?? 0))
    .join('  ')
    .trimEnd();
}

/** The table as text: one line per comparison. */
export function tableOf(results: readonly RowResult[]): string {
  const head = ['work', 'rate', 'against', 'its rate', 'ratio', 'bar', ''];
  const body = results.flatMap(({ row, measurement }) =>
    measurement.comparisons.map((comparison, index) => [
      index === 0 ? row.work : '',
      index === 0 ? rateText(measurement.ratePerSecond) : '',
      comparison.against,
      rateText(comparison.ratePerSecond),
      comparison.ratio.toFixed(2),
      comparison.atLeast === null ? '–' : `≥ ${comparison.atLeast}`,
      comparison.isMet ? 'met' : 'MISSED',
    ]),
  );
  const widths = head.map((title, column) =>
    Math.max(title.length, ...body.map((cells) => (cells[column] ?? '').length)),
  );
  const rule = widths.map((width) => '─'.repeat(width)).join('  ');
  const observed = results.flatMap(({ row, measurement }) =>
    measurement.observations.map(
      ({ what, amount, unit }) => `${row.name}: ${what}: ${Number(amount.toPrecision(3))} ${unit}`,
    ),
  );
  return [line(head, widths), rule, ...body.map((cells) => line(cells, widths)), '', ...observed].join('\n');
}

/** Writes `results/latest.json`: ratios are the result, rates only say on which machine they were formed. */
export function writeResults(
  { rows, trials }: { readonly rows: readonly RowResult[]; readonly trials: readonly TrialResult[] },
  effort: Effort,
): void {
  const folder = new URL('../../results/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  const report = {
    node: process.version,
    processors: cpus().length,
    effort,
    rows: rows.map(({ row, measurement }) => ({ name: row.name, work: row.work, ...measurement })),
    trials,
  };
  writeFileSync(new URL('latest.json', folder), `${JSON.stringify(report, null, 2)}\n`);
}
