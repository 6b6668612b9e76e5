import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { Measurement } from './measure.ts';
import { observationText, type Row } from './row.ts';

/** Output of a trial. */
export interface TrialResult {
  readonly name: string;
  readonly isMarkdown: boolean;
  readonly lines: readonly string[];
}

/** A row and its measurement. */
export interface RowResult {
  readonly row: Row;
  readonly measurement: Measurement;
}

export function rateText(perSecond: number): string {
  return perSecond >= 1_000 ? `${Math.round(perSecond / 100) / 10} k/s` : `${Math.round(perSecond * 10) / 10} /s`;
}

function line(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, index) => cell.padEnd(widths[index] ?? 0))
    .join('  ')
    .trimEnd();
}

/** Return the table as text, one line per comparison. */
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
    measurement.observations.map((observation) => `${row.name}: ${observationText(observation, 'MISSED')}`),
  );
  return [line(head, widths), rule, ...body.map((cells) => line(cells, widths)), '', ...observed].join('\n');
}

/** Measurement of a row with date and machine. */
export interface RecordedRow extends Measurement {
  readonly name: string;
  readonly work: string;
  readonly on: Machine;
}

/** Output of a trial with date and machine. */
export interface RecordedTrial extends TrialResult {
  readonly on: Machine;
}

interface Machine {
  readonly date: string;
  readonly node: string;
  readonly processors: number;
}

/** Newest results of each row and trial. */
export interface BenchRecord {
  readonly rows: readonly RecordedRow[];
  readonly trials: readonly RecordedTrial[];
}

const file = new URL('../../results/latest.json', import.meta.url);

/**
 * Write `results/latest.json`, where earlier results stay until their row or trial is measured again. Ratios are the
 * result; rates only describe the machine. Returns the whole content.
 */
export function writeResults(
  { rows, trials }: { readonly rows: readonly RowResult[]; readonly trials: readonly TrialResult[] },
  date: Date,
): BenchRecord {
  const on: Machine = {
    date: date.toISOString().slice(0, 10),
    node: process.version,
    processors: availableParallelism(),
  };
  const before: BenchRecord = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { rows: [], trials: [] };
  const record: BenchRecord = {
    rows: replaced(
      before.rows,
      rows.map(({ row, measurement }) => ({ name: row.name, work: row.work, on, ...measurement })),
    ),
    trials: replaced(
      before.trials,
      trials.map((trial) => ({ ...trial, on })),
    ),
  };
  mkdirSync(new URL('.', file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(record, null, 2)}\n`);
  return record;
}

function replaced<Result extends { readonly name: string }>(
  before: readonly Result[],
  now: readonly Result[],
): readonly Result[] {
  const unmeasured = before.filter(({ name }) => now.every((result) => result.name !== name));
  return [...unmeasured, ...now];
}
