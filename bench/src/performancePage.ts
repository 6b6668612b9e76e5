import { writeFileSync } from 'node:fs';
import { type BenchRecord, type RecordedRow, type RecordedTrial, rateText } from './harness/report.ts';
import { observationText } from './harness/row.ts';
import { rows } from './rows.ts';
import { trials } from './trials/trials.ts';

const intro = `# Performance

Written by \`npx -y pnpm@12 bench --record\` from the newest results of every row and trial; do not edit.

Every row is measured in rounds with a floor or a peer, in one run on one machine. The ratio is the result; the rates
describe the machine. Missed bars are shown as missed. To measure a row again:
\`npx -y pnpm@12 bench post-quotes --record\`. Gas is in [docs/audit/figures.md](audit/figures.md), where tests hold it.
`;

const next = `## What a profile shows

POST /quotes with 64 connections, shares of the busy time of the process (2026-11-25): two native signatures 16 %
(the floor makes one), socket writes 10 %, database client 7 %, decision 6.5 %, Express 6 %, garbage collection 3.5 %,
text of the stored row 3 %. The rest is spread over functions of less than one percent. Next gains: one signature
instead of two, by signing risk and terms of a quote together off chain (8 %), and columns instead of the text of the
row (3 %). In a forced sale: the chain reads of one step (three round trips) and the answer of the venue to an order.
`;

/** Write docs/performance.md. */
export function writePerformancePage(record: BenchRecord): void {
  const measured = inOrder(record.rows, rows);
  const tried = inOrder(record.trials, trials);
  const sections = [
    intro,
    '## Rows\n',
    ...comparisonsOf(measured),
    '',
    '## Besides\n',
    ...measured.flatMap(observationsOf),
    ...tried.flatMap(trialSectionOf),
    next,
  ];
  writeFileSync(new URL('../../docs/performance.md', import.meta.url), `${sections.join('\n').trimEnd()}\n`);
}

/** Return the results of existing rows or trials, in the order of the list. */
function inOrder<Result extends { readonly name: string }>(
  results: readonly Result[],
  wanted: readonly { readonly name: string }[],
): readonly Result[] {
  return wanted.flatMap(({ name }) => results.filter((result) => result.name === name));
}

function comparisonsOf(measured: readonly RecordedRow[]): readonly string[] {
  return [
    '| row | work | rate | against | its rate | ratio | bar | |',
    '|---|---|---|---|---|---|---|---|',
    ...measured.flatMap(({ name, work, ratePerSecond, comparisons }) =>
      comparisons.map((comparison, index) => {
        const own = index === 0 ? [`\`${name}\``, work, rateText(ratePerSecond)] : ['', '', ''];
        const bar = comparison.atLeast === null ? '' : `≥ ${comparison.atLeast}`;
        const result = comparison.atLeast === null ? '' : comparison.isMet ? 'met' : '**missed**';
        const other = [comparison.against, rateText(comparison.ratePerSecond), comparison.ratio.toFixed(2)];
        return `| ${[...own, ...other, bar, result].join(' | ')} |`;
      }),
    ),
  ];
}

function observationsOf({ name, on, observations }: RecordedRow): readonly string[] {
  if (observations.length === 0) return [];
  return [
    `### \`${name}\`\n`,
    machineOf(on),
    ...observations.map((observation) => `- ${observationText(observation, '**missed**')}`),
    '',
  ];
}

function trialSectionOf({ name, on, lines, isMarkdown }: RecordedTrial): readonly string[] {
  const body = isMarkdown ? lines : ['```text', ...lines.map((line) => line.trimEnd()), '```'];
  return [`### \`${name}\`\n`, machineOf(on), ...body, ''];
}

function machineOf({ date, node, processors }: RecordedRow['on']): string {
  return `${date}, Node ${node}, ${processors} processors.\n`;
}
