import { parseArgs } from 'node:util';
import { type Effort, measure } from './harness/measure.ts';
import { type RowResult, tableOf, writeResults } from './harness/report.ts';
import { rows } from './rows.ts';

// Usage: node bench/src/main.ts [row …] [--rounds 21] [--round-ms 80]
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '21' }, 'round-ms': { type: 'string', default: '80' } },
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
process.stdout.write(`${tableOf(results)}\n`);
writeResults(results, effort);

const isMissed = results.some(({ measurement }) => measurement.comparisons.some((comparison) => !comparison.isMet));
process.exitCode = isMissed || results.length === 0 ? 1 : 0;
