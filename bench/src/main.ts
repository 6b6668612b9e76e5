import { parseArgs } from 'node:util';
import { measure } from './harness/measure.ts';
import { type RowResult, type TrialResult, tableOf, writeResults } from './harness/report.ts';
import { type Effort, isMetBy } from './harness/row.ts';
import { writePerformancePage } from './performancePage.ts';
import { rows } from './rows.ts';
import { runTrial, trials } from './trials/trials.ts';

// Usage: node bench/src/main.ts [row or trial …] [--rounds 21] [--round-ms 80] [--record]
// `--record` writes docs/performance.md from the newest results of every row and trial.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '21' },
    'round-ms': { type: 'string', default: '80' },
    record: { type: 'boolean', default: false },
  },
});
const effort: Effort = { rounds: Number(values.rounds), roundMs: Number(values['round-ms']) };
const chosen = rows.filter((row) => positionals.length === 0 || positionals.includes(row.name));

const results: RowResult[] = [];
for (const row of chosen) {
  process.stderr.write(`${row.name} …\n`);
  const bench = await row.prepare();
  try {
    results.push({ row, measurement: await measure(bench, effort) });
  } finally {
    await bench.close?.();
  }
}
if (results.length > 0) process.stdout.write(`${tableOf(results)}\n`);
const tried: TrialResult[] = [];
for (const trial of trials.filter(({ name }) => positionals.includes(name))) {
  process.stderr.write(`${trial.name} …\n`);
  tried.push(await runTrial(trial));
}
const record = writeResults({ rows: results, trials: tried }, new Date());
if (values.record) writePerformancePage(record);

const isMissed = results.some(
  ({ measurement: { comparisons, observations } }) =>
    comparisons.some((comparison) => !comparison.isMet) || observations.some((observation) => !isMetBy(observation)),
);
process.exitCode = isMissed || results.length + tried.length === 0 ? 1 : 0;
