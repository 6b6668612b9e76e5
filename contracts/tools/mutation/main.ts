import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contractsRoot } from '../../local/contractsRoot.ts';
import { codeDigestOf } from '../project/codeDigest.ts';
import { stampOfCheckout } from '../project/runStamp.ts';
import { compileVault } from './compileVault.ts';
import { explanationOf, staleExplanations } from './explained.ts';
import { type Mutant, mutantsOfFolder, shuffled } from './mutantsOf.ts';
import { mutationPage } from './mutationPage.ts';
import { assertSameSubject, type MutantResult, readReport, reportOf, type Subject, writeReport } from './report.ts';
import { Sample } from './sample.ts';
import { Workspace } from './workspace.ts';

// Samples MUTANTS mutants of contracts/src by SEED, runs the Solidity tests on each and reports how many were killed.
// A mutant that does not compile, or compiles to the same bytes, is replaced by the next of the sample.
// MUTATION_WORKERS mutants are judged side by side. With AGAIN=1 a run goes on from the last report: its survivors
// first, then the rest of the sample. MUTATION_FOLDER keeps the compiled tests between runs; MUTATION_SECONDS ends a
// run early.

/** Under this share of killed mutants a run fails. */
const minScorePercent = 85;
const wanted = Number(process.env['MUTANTS'] ?? 200);
const seed = Number(process.env['SEED'] ?? 1);
const workerCount = Number(process.env['MUTATION_WORKERS'] ?? availableParallelism());
const maxDurationMs = Number(process.env['MUTATION_SECONDS'] ?? 86_400) * 1000;
const reportFile = process.env['REPORT'] ?? join(contractsRoot, 'reports', 'mutation.json');
const kept = process.env['MUTATION_FOLDER'];
const folder = kept ?? mkdtempSync(join(tmpdir(), 'mutation-'));
const workers: ChildProcess[] = [];
mkdirSync(dirname(reportFile), { recursive: true });

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    say(`ended by ${signal}; AGAIN=1 goes on`);
    process.exit(1);
  });
}
process.on('exit', () => {
  for (const worker of workers) worker.kill();
  if (kept === undefined) rmSync(folder, { recursive: true, force: true });
});
const startedMs = Date.now();
const say = (line: string) => process.stdout.write(`${line}\n`);

const mutants = mutantsOfFolder(join(contractsRoot, 'src'));
for (const { file, after } of staleExplanations(mutants)) {
  say(`explained.ts explains a mutant that does not exist: ${file} ${after}`);
  process.exitCode = 1;
}
const folders = Array.from({ length: workerCount }, (_, index) => join(folder, String(index + 1)));
const workspaces = folders.map((one) => Workspace.make(one));
const subject = await prepare(workspaces);
const earlier = process.env['AGAIN'] === '1' ? readReport(reportFile) : undefined;
if (earlier !== undefined) assertSameSubject(earlier, subject);
const sample = new Sample(shuffled(mutants, seed), wanted, earlier?.results ?? []);
say(`${mutants.length} mutants exist; ${wanted} are sampled with seed ${seed}`);
say(`ready after ${secondsSince(startedMs)} s; ${workerCount} workers`);

const judgingMs = Date.now();
const program = fileURLToPath(new URL('./worker.ts', import.meta.url));
workers.push(...folders.map((one) => fork(program, [one])));
await judgeSample();
const report = reportOf(subject, sample.results);
writeReport(reportFile, report);
if (process.env['REPORT'] === undefined) {
  writeFileSync(resolve(contractsRoot, '../docs/audit/mutation.md'), mutationPage(report, stampOfCheckout()));
}
const { killed, judged, explained, notJudged } = report;
say(`${killed} of ${judged} mutants killed (${report.scorePercent} %) in ${secondsSince(judgingMs)} s`);
say(`${killed} of the ${judged - explained} that a test can kill (${report.scoreWithoutExplainedPercent} %)`);
for (const survivor of report.survivors) {
  const why = explanationOf(survivor) ?? 'open';
  say(`survived ${survivor.file}:${survivor.line} ${survivor.operator}: ${why}`);
  say(`  - ${survivor.before}\n  + ${survivor.after}`);
}
for (const result of report.results.filter(({ status }) => status === 'killed')) {
  if (explanationOf(result) === undefined) continue;
  say(`explained.ts says that no test can kill it, yet one does: ${result.file}:${result.line} by ${result.by}`);
  process.exitCode = 1;
}
if (report.scorePercent < minScorePercent) {
  say(`under ${minScorePercent} %`);
  process.exitCode = 1;
}
if (notJudged > 0) {
  say(`${notJudged} could not be judged`);
  process.exitCode = 1;
}
for (const worker of workers) worker.disconnect();

/** Compiles everything without a mutant in the first workspace, sees its tests pass, and copies it to the others. */
async function prepare([first, ...others]: readonly Workspace[]): Promise<Subject> {
  if (first === undefined) throw new Error('MUTATION_WORKERS is at least 1');
  const original = compileVault(first.root);
  if (original === undefined) throw new Error('the sources do not compile');
  first.writeCode(original);
  await first.build();
  const run = await first.test();
  if (run.kind !== 'passed') throw new Error(`the tests fail without a mutant: ${JSON.stringify(run)}`);
  for (const other of others) {
    other.copyBuild(first);
    other.writeCode(original);
  }
  return { seed, mutantsInAll: mutants.length, code: codeDigestOf(contractsRoot) };
}

/** Keeps every worker busy with the next mutant until the sample is judged or time is over. */
async function judgeSample(): Promise<void> {
  const idle = [...workers];
  const busy = new Set<Promise<void>>();
  const start = async (worker: ChildProcess, position: number) => {
    const mutantMs = Date.now();
    const outcome = await judge(worker, sample.mutant(position));
    reportResult(sample.record(position, outcome), mutantMs);
    idle.push(worker);
  };
  for (;;) {
    while (idle.length > 0 && Date.now() - startedMs < maxDurationMs) {
      const position = sample.next();
      if (position === undefined) break;
      const started = start(idle.pop() as ChildProcess, position).finally(() => busy.delete(started));
      busy.add(started);
    }
    if (busy.size === 0) return;
    await Promise.race(busy);
  }
}

function judge(worker: ChildProcess, mutant: Mutant): Promise<Pick<MutantResult, 'status' | 'by'>> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`a worker ended with ${code}; AGAIN=1 goes on`));
    worker.once('exit', ended);
    worker.once('message', (outcome) => {
      worker.removeListener('exit', ended);
      resolve(outcome as Pick<MutantResult, 'status' | 'by'>);
    });
    worker.send(mutant);
  });
}

function reportResult({ position, status, file, line, operator, after, by }: MutantResult, sinceMs: number): void {
  writeReport(reportFile, reportOf(subject, sample.results));
  const how = by === undefined ? '' : ` by ${by}`;
  say(`${position} ${status} after ${secondsSince(sinceMs)} s: ${file}:${line} ${operator}: ${after}${how}`);
}

function secondsSince(ms: number): number {
  return Math.round((Date.now() - ms) / 100) / 10;
}
