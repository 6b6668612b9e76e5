import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compileVault } from './compileVault.ts';
import { type Mutant, mutantsOf, shuffled } from './mutantsOf.ts';
import { runTests } from './runTests.ts';
import { Workspace } from './workspace.ts';

// Samples MUTANTS mutants of contracts/src by SEED, runs the Solidity tests on each and reports how many were killed.
// A mutant that does not compile, or compiles to the same bytes, is replaced by the next of the sample.

type Fate = 'killed' | 'survived' | 'same code' | 'does not compile';
interface Result extends Omit<Mutant, 'source'> {
  readonly fate: Fate;
  readonly by?: string;
}

const wanted = Number(process.env['MUTANTS'] ?? 200);
const seed = Number(process.env['SEED'] ?? 1);
const skipped = Number(process.env['SKIP'] ?? 0);
/** Only mutants of files whose path contains this text. */
const only = process.env['ONLY'] ?? '';
const longestMs = Number(process.env['MUTATION_SECONDS'] ?? 86_400) * 1000;
const reportFile = process.env['REPORT'] ?? fileURLToPath(new URL('latest.json', import.meta.url));

const workspace = new Workspace(process.env['MUTATION_FOLDER']);
process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));
process.on('exit', () => workspace.remove());
const startedMs = Date.now();
const results: Result[] = [];
const say = (line: string) => process.stdout.write(`${line}\n`);
const count = (fate: Fate) => results.filter((result) => result.fate === fate).length;

const original = compileVault(workspace.root);
if (original === undefined) throw new Error('the sources do not compile');
workspace.writeCode(original);
const first = await runTests(workspace.root);
if (first.kind !== 'passed') throw new Error(`the tests fail without a mutant: ${JSON.stringify(first)}`);

const all = workspace.sourceFiles().flatMap((file) => mutantsOf(file, workspace.read(file)));
const sample = shuffled(all, seed)
  .slice(skipped)
  .filter((mutant) => mutant.file.includes(only));
say(`${all.length} mutants exist; sampling ${wanted} with seed ${seed}, from number ${skipped}`);
let examined = 0;
for (const mutant of sample) {
  if (count('killed') + count('survived') >= wanted || Date.now() - startedMs > longestMs) break;
  const { source: _source, ...description } = mutant;
  const result = { ...description, ...(await fateOf(mutant)) };
  examined += 1;
  results.push(result);
  const how = result.by === undefined ? '' : ` by ${result.by}`;
  say(`${results.length} ${result.fate}: ${result.file}:${result.line} ${result.operator}: ${result.after}${how}`);
  writeReport();
}
say(`${count('killed')} of ${count('killed') + count('survived')} mutants killed`);
for (const result of results.filter(({ fate }) => fate === 'survived')) {
  say(`survived ${result.file}:${result.line} ${result.operator}\n  - ${result.before}\n  + ${result.after}`);
}

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

function writeReport(): void {
  const judged = count('killed') + count('survived');
  const report = {
    seed,
    skipped,
    examined,
    mutantsInAll: all.length,
    judged,
    killed: count('killed'),
    survived: count('survived'),
    sameCode: count('same code'),
    doesNotCompile: count('does not compile'),
    scorePercent: judged === 0 ? 0 : Math.round((count('killed') * 1000) / judged) / 10,
    survivors: results.filter(({ fate }) => fate === 'survived'),
  };
  writeFileSync(reportFile, `${JSON.stringify(report, null, 2)}\n`);
}
