import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { contractsRoot } from '../../local/contractsRoot.ts';
import { runSolidityTests } from '../project/runSolidityTests.ts';
import { type RunStamp, stampLineOf, stampOfCheckout } from '../project/runStamp.ts';

/**
 * Runs the Solidity tests with the profile `deep` and writes what ran to docs/audit/deep.md: per file its tests, and
 * how often those with random inputs ran. Nothing is written when one fails.
 */
interface FileRecord {
  readonly file: string;
  tests: number;
  /** Tests with random inputs, by how often each ran. */
  readonly byRuns: Map<number, number>;
}

/** Parse the output of Hardhat, by test file. Several contracts of one file count together. */
function recordsOf(output: string): readonly FileRecord[] {
  const records = new Map<string, FileRecord>();
  let current: FileRecord | undefined;
  for (const line of output.split('\n')) {
    const file = /^ {2}test\/(?<file>[\w\/]+\.t\.sol):\w+$/v.exec(line)?.groups?.['file'];
    if (file !== undefined) {
      current = records.get(file) ?? { file, tests: 0, byRuns: new Map() };
      records.set(file, current);
    }
    const passed = /^ {4}✔ \w+\(.*?\)(?: \(runs: (?<runs>\d+)\))?/v.exec(line);
    if (passed === null || current === undefined) continue;
    current.tests += 1;
    const runs = passed.groups?.['runs'];
    if (runs !== undefined) current.byRuns.set(Number(runs), (current.byRuns.get(Number(runs)) ?? 0) + 1);
  }
  return [...records.values()].sort((a, b) => a.file.localeCompare(b.file));
}

function textOf(records: readonly FileRecord[], stamp: RunStamp): string {
  const rows = records.map(({ file, tests, byRuns }) => {
    const random = [...byRuns].map(([runs, count]) => `${count} × ${runs.toLocaleString('en-US')} runs`).join(', ');
    return `| ${file} | ${tests} | ${random} |`;
  });
  const all = records.reduce((sum, { tests }) => sum + tests, 0);
  return [
    '# Deep profile',
    '',
    'Written by `pnpm --filter @core/contracts test:deep`; do not edit. Every Solidity test passed with the profile `deep`',
    'of `hardhat.config.ts`: random inputs are new in each run, and each run of the campaign takes 64 steps.',
    '',
    stampLineOf(stamp),
    '',
    '| file | tests | of them with random inputs |',
    '|---|---|---|',
    ...rows,
    `| all | ${all} | |`,
    '',
  ].join('\n');
}

const records = recordsOf(await runSolidityTests(contractsRoot, '--test-profile', 'deep'));
if (records.length === 0) throw new Error('Hardhat printed no test');
writeFileSync(resolve(contractsRoot, '../docs/audit/deep.md'), textOf(records, stampOfCheckout()));
