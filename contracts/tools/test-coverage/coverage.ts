import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { contractsRoot } from '../../local/contractsRoot.ts';
import { copyProject } from '../project/copyProject.ts';
import { runSolidityTests } from '../project/runSolidityTests.ts';
import { stampLineOf, stampOfCheckout } from '../project/runStamp.ts';

/**
 * Runs the Solidity tests on instrumented contracts and writes docs/audit/coverage.md: per file of src the lines and
 * statements they reach. Works in a copy, since instrumented code would replace the artifacts; an argument names a
 * folder that keeps the copy between runs. Exits non-zero, and writes nothing, unless everything is reached.
 */
interface FileCoverage {
  readonly file: string;
  readonly lines: number;
  readonly reachedLines: number;
  readonly statementPercent: string;
}

/** Instrumented code needs more gas than a starved call leaves for its refusal: that holds of the real code alone. */
const starvedTest = 'test_a_payment_without_gas_reverts_instead_of_waiting';

const copied = ['src', 'venue', 'test', 'hardhat.config.ts', 'package.json', 'tsconfig.json'];
const [kept] = process.argv.slice(2);
const folder = kept ?? mkdtempSync(join(tmpdir(), 'coverage-'));
process.on('exit', () => {
  if (kept === undefined) rmSync(folder, { recursive: true, force: true });
});

const stamp = stampOfCheckout();
const root = copyProject(folder, [...copied, 'local/compilation/compiler.ts', 'tools/project/testCompilation.ts']);
const printed = await runSolidityTests(root, '--coverage', '--grep-exclude', starvedTest);
const files = coverageOf(printed, readFileSync(join(root, 'coverage/lcov.info'), 'utf8'));
const missed = files.filter(({ lines, reachedLines, statementPercent }) => {
  return reachedLines < lines || statementPercent !== '100.00';
});
for (const { file, lines, reachedLines, statementPercent } of missed) {
  process.stdout.write(`${file}: ${reachedLines} of ${lines} lines, ${statementPercent} % of statements\n`);
}
if (files.length === 0) throw new Error('no source of src was measured');
if (missed.length === 0) {
  const page = [
    '# Coverage',
    '',
    'Written by `pnpm --filter @core/contracts coverage`; do not edit. Lines and statements of `contracts/src` that the',
    'Solidity tests reach; files without statements are left out. The tool reports no branches: every branch and revert is',
    'held by [mutation](mutation.md). A run fails unless everything is reached.',
    '',
    stampLineOf(stamp),
    '',
    '| file | lines reached | statements reached |',
    '|---|---|---|',
    ...files.map((one) => `| ${one.file} | ${one.reachedLines} of ${one.lines} | ${one.statementPercent} % |`),
    '',
  ];
  writeFileSync(resolve(contractsRoot, '../docs/audit/coverage.md'), page.join('\n'));
}
process.exitCode = missed.length === 0 ? 0 : 1;

/** Lines from the record of lcov, statements from the table that Hardhat prints. */
function coverageOf(output: string, lcov: string): readonly FileCoverage[] {
  const statements = new Map(
    [...output.matchAll(/(?<file>src\/\S+\.sol)\s+\W\s+[\d.]+\s+\W\s+(?<statement>[\d.]+)/g)].map(({ groups }) => {
      return [groups?.['file'] ?? '', groups?.['statement'] ?? ''] as const;
    }),
  );
  return lcov.split('end_of_record').flatMap((record) => {
    const file = /^SF:(?<file>src\/\S+)$/m.exec(record)?.groups?.['file'];
    const figure = (name: string) => Number(new RegExp(`^${name}:(\\d+)$`, 'm').exec(record)?.[1] ?? 0);
    const statementPercent = file === undefined ? undefined : statements.get(file);
    if (file === undefined || statementPercent === undefined || figure('LF') === 0) return [];
    return [{ file, lines: figure('LF'), reachedLines: figure('LH'), statementPercent }];
  });
}
