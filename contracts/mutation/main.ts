import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compileVault } from './compileVault.ts';
import { type Mutant, mutantsOf, shuffled } from './mutantsOf.ts';
import { type Fate, type Judged, readReport, reportOf, sameMutant } from './report.ts';
import { runTests } from './runTests.ts';
import { Workspace } from './workspace.ts';

// Samples MUTANTS mutants of contracts/src by SEED, runs the Solidity tests on each and reports how many were killed.
// A mutant that does not compile, or compiles to the same bytes, is replaced by the next of the sample. With AGAIN=1 a
// run goes on from the last report: its survivors first, then the rest of the sample. MUTATION_FOLDER keeps the
// compiled tests between runs; MUTATION_SECONDS ends a run early.

const wanted = Number(process.env['MUTANTS'] ?? 200);
const seed = Number(process.env['SEED'] ?? 1);
const longestMs = Number(process.env['MUTATION_SECONDS'] ?? 86_400) * 1000;
const reportFile = process.env['REPORT'] ?? fileURLToPath(new URL('latest.json', import.meta.url));
const earlier = process.env['AGAIN'] === '1' ? readReport(reportFile) : undefined;

const workspace = new Workspace(process.env['MUTATION_FOLDER']);
process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));
process.on('exit', () => workspace.remove());
const startedMs = Date.now();
const say = (line: string) => process.stdout.write(`${line}\n`);

const original = compileVault(workspace.root);
if (original === undefined) throw new Error('the sources do not compile');
workspace.writeCode(original);
const first = await runTests(workspace.root);
if (first.kind !== 'passed') throw new Error(`the tests fail without a mutant: ${JSON.stringify(first)}`);

const all = workspace.sourceFiles().flatMap((file) => mutantsOf(file, workspace.read(file)));
const before = earlier?.survivors ?? [];
const again = all.filter((mutant) => before.some((survivor) => sameMutant(survivor, mutant)));
const sample = [...again, ...shuffled(all, seed).slice(earlier?.examined ?? 0)];
say(`${all.length} mutants exist; ${wanted} are sampled with seed ${seed}; ${again.length} are judged again`);

const results: Judged[] = [];
let report = reportOf({ seed, mutantsInAll: all.length, examined: earlier?.examined ?? 0 }, results, earlier);
for (const [index, mutant] of sample.entries()) {
  const isNew = index >= again.length;
  if ((isNew && report.judged >= wanted) || Date.now() - startedMs > longestMs) break;
  const { source: _source, ...description } = mutant;
  const result = { ...description, ...(await fateOf(mutant)) };
  results.push(result);
  report = reportOf({ ...report, examined: report.examined + (isNew ? 1 : 0) }, results, earlier);
  writeFileSync(reportFile, `${JSON.stringify(report, null, 2)}\n`);
  const how = result.by === undefined ? '' : ` by ${result.by}`;
  say(`${results.length} ${result.fate}: ${result.file}:${result.line} ${result.operator}: ${result.after}${how}`);
}
say(`${report.killed} of ${report.judged} mutants killed (${report.scorePercent} %)`);
for (const survivor of report.survivors) {
  say(`survived ${survivor.file}:${survivor.line} ${survivor.operator}\n  - ${survivor.before}\n  + ${survivor.after}`);
}

/** Compiles and tests one mutant, and puts the file back. */
async function fateOf(mutant: Mutant): Promise<{ fate: Fate; by?: string }> {
  const source = workspace.read(mutant.file);
  workspace.write(mutant.file, mutant.source);
  try {
    const code = compileVault(workspace.root);
    if (code === undefined) return { fate: 'does not compile' };
    if (code.vault === original?.vault && code.rules === original.rules) return { fate: 'same code' };
    workspace.writeCode(code);
    const run = await runTests(workspace.root);
    if (run.kind === 'passed') return { fate: 'survived' };
    return { fate: 'killed', by: run.kind === 'timeout' ? 'waiting too long' : run.by };
  } finally {
    workspace.write(mutant.file, source);
  }
}
