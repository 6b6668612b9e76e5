import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { contractsRoot, copyProject } from './copyProject.ts';
import { runSolidityTests } from './runSolidityTests.ts';

/**
 * Measures which lines and statements of src the Solidity tests reach, prints them, writes them to
 * docs/audit/coverage.json and exits non-zero when one is missed. Interfaces hold no code and the venue never ships, so
 * neither counts. A build for coverage writes other, far larger code over artifacts, so all of it happens in a copy of
 * the project: a new folder by default, or the one named as the argument, which is kept so that nothing compiles twice.
 */
interface FileCoverage {
  readonly lines: number;
  readonly linesReached: number;
  readonly linesMissed: readonly number[];
  readonly statementsPercent: string;
}

const recordFile = resolve(contractsRoot, '../docs/audit/coverage.json');
const copied = ['src', 'venue', 'test/solidity', 'hardhat.config.ts', 'package.json', 'tsconfig.json'];
/** Gas of instrumented code says nothing, and its tests would fail on it. */
const leftOut = 'test/solidity/Gas.t.sol';
/** Measures gas to within hundreds, which probes use up; what it reaches, Reached.t.sol reaches with gas to spare. */
const gasSensitive = {
  file: 'test/solidity/Account.t.sol',
  test: 'test_a_payment_without_gas_reverts_instead_of_waiting',
};
const counted = /^src\/(?!interfaces\/)/;

/** The sources and tests as they are now, without what measures gas. */
function copyMeasured(folder: string): string {
  const root = copyProject(folder, copied);
  rmSync(join(root, leftOut));
  const sensitive = join(root, gasSensitive.file);
  const source = readFileSync(sensitive, 'utf8');
  if (!source.includes(gasSensitive.test)) throw new Error(`${gasSensitive.test} is not there to leave out`);
  writeFileSync(sensitive, source.replace(gasSensitive.test, `leftOut_${gasSensitive.test}`));
  rmSync(join(root, 'coverage'), { recursive: true, force: true });
  return root;
}

/** @throws Error when lines and statements are not reported of the same files. */
function readCoverage(lcov: string, table: string): Readonly<Record<string, FileCoverage>> {
  const statements = new Map(
    [...table.matchAll(/(src\/\S+\.sol)\s*│\s*[\d.]+\s*│\s*([\d.]+)\s*│/g)].map(([, file, percent]) => [file, percent]),
  );
  const files: Record<string, FileCoverage> = {};
  for (const record of lcov.split('end_of_record')) {
    const file = /^SF:(.+)$/m.exec(record)?.[1];
    if (file === undefined || !counted.test(file)) continue;
    const lines = [...record.matchAll(/^DA:(\d+),(\d+)$/gm)].map(
      ([, line, hits]) => [Number(line), Number(hits)] as const,
    );
    // A file of constants and types has nothing to run.
    if (lines.length === 0) continue;
    const statementsPercent = statements.get(file);
    if (statementsPercent === undefined) throw new Error(`no statements are reported of ${file}`);
    const linesMissed = lines.filter(([, hits]) => hits === 0).map(([line]) => line);
    files[file] = {
      lines: lines.length,
      linesReached: lines.length - linesMissed.length,
      linesMissed: linesMissed.sort((a, b) => a - b),
      statementsPercent,
    };
  }
  if (!('src/Vault.sol' in files)) throw new Error('the report says nothing of the vault');
  return Object.fromEntries(Object.entries(files).sort(([a], [b]) => a.localeCompare(b)));
}

const kept = process.argv[2];
const folder = kept === undefined ? mkdtempSync(join(tmpdir(), 'coverage-')) : resolve(kept);
try {
  const root = copyMeasured(folder);
  const table = await runSolidityTests(root, '--coverage');
  const files = readCoverage(readFileSync(join(root, 'coverage/lcov.info'), 'utf8'), table);
  writeFileSync(recordFile, `${JSON.stringify(files, null, 2)}\n`);
  for (const [file, { lines, linesReached, linesMissed, statementsPercent }] of Object.entries(files)) {
    const missed = linesMissed.length === 0 ? '' : `, missed ${linesMissed.join(' ')}`;
    process.stdout.write(`${file}: ${linesReached} of ${lines} lines, ${statementsPercent} % of statements${missed}\n`);
    if (linesMissed.length > 0 || statementsPercent !== '100.00') process.exitCode = 1;
  }
} finally {
  if (kept === undefined) rmSync(folder, { recursive: true, force: true });
}
