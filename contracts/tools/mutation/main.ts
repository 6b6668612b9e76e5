import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contractsRoot } from '../../local/contractsRoot.ts';
import { fileDigestsOf } from '../project/codeDigest.ts';
import { stampOfCheckout } from '../project/runStamp.ts';
import { compileVault } from './compileVault.ts';
import { explanationOf, staleExplanations } from './explained.ts';
import { reaches } from './imports.ts';
import { mutantsOfFolder, shuffled } from './mutantsOf.ts';
import { mutationPage } from './mutationPage.ts';
import {
  isDueAgain,
  type MutantResult,
  minScorePercent,
  type Outcome,
  readResults,
  reportOf,
  type Subject,
  writeResults,
} from './report.ts';
import { Sample } from './sample.ts';
import { batchesOf, placeOf } from './switches.ts';
import { switchPlacesOf } from './switchPlaces.ts';
import type { Answered, Asked } from './worker.ts';
import { Workspace } from './workspace.ts';

// Samples MUTANTS mutants of contracts/src by SEED, runs the Solidity tests on each and reports how many were killed.
// Most are first judged many at a time, compiled together behind switches; what no test kills there, and what no switch
// can stand for, is compiled alone. A mutant that does not compile, or compiles to the same bytes, is replaced by the
// next of the sample.
// MUTATION_WORKERS mutants are judged side by side. With AGAIN=1 a run continues from the last results of mutants that
// are the same still: what could not be judged first, then the rest of the sample, and last the survivors that are due
// again. MUTATION_FOLDER keeps the compiled tests between runs; MUTATION_SECONDS ends a run early.

/** Fewer mutants are compiled one by one: a batch is tested with no switch on before it is judged. */
const minimumBatch = 3;
const wanted = Number(process.env['MUTANTS'] ?? 200);
const seed = Number(process.env['SEED'] ?? 1);
const workerCount = Number(process.env['MUTATION_WORKERS'] ?? availableParallelism());
const maxDurationMs = Number(process.env['MUTATION_SECONDS'] ?? 86_400) * 1000;
const auditFolder = resolve(contractsRoot, '../docs/audit');
const resultsFile = process.env['RESULTS'] ?? join(auditFolder, 'mutation.json');
const kept = process.env['MUTATION_FOLDER'];
const folder = kept ?? mkdtempSync(join(tmpdir(), 'mutation-'));
const workers: ChildProcess[] = [];

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    say(`ended by ${signal}; AGAIN=1 continues`);
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
const subject: Subject = { seed, mutantsInAll: mutants.length };
const judgedOn = { ...stampOfCheckout(), files: fileDigestsOf(join(contractsRoot, 'src')) };
await prepare(workspaces);
const inOrder = shuffled(mutants, seed);
const earlier = process.env['AGAIN'] === '1' ? (readResults(resultsFile, inOrder) ?? []) : [];
let sample = sampleFrom(earlier);
say(`${mutants.length} mutants exist; ${wanted} are sampled with seed ${seed}`);
say(`ready after ${secondsSince(startedMs)} s; ${workerCount} workers`);

const judgingMs = Date.now();
const program = fileURLToPath(new URL('./worker.ts', import.meta.url));
workers.push(...folders.map((one) => fork(program, [one])));
await judgeBehindSwitches();
// What is still open is judged alone, and so is what an earlier run left.
sample = sampleFrom(sample.results);
await judgeAlone();
const report = reportOf(subject, sample.results);
if (process.env['RESULTS'] === undefined) {
  writeFileSync(join(auditFolder, 'mutation.md'), mutationPage(report, judgedOn));
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
async function prepare([first, ...others]: readonly Workspace[]): Promise<void> {
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
}

function sampleFrom(results: readonly MutantResult[]): Sample {
  const imports = (from: string, to: string) => reaches(contractsRoot, [`src/${from}`, `src/${to}`]);
  const isDue = (result: MutantResult) => isDueAgain(result, judgedOn, imports);
  return new Sample(inOrder, { wanted, judgedOn }, { results, isDue });
}

/** Judge the new part of the sample, many mutants of a source at a time. */
async function judgeBehindSwitches(): Promise<void> {
  const open = [...inOrder.slice(0, wanted).entries()].filter(([position]) => !sample.has(position));
  const work = [...new Set(open.map(([, { file }]) => file))].flatMap((file) => {
    const source = readFileSync(join(contractsRoot, 'src', file), 'utf8');
    const places = switchPlacesOf(contractsRoot, { file, source });
    const switched = open.flatMap(([position, mutant]) => {
      const place = mutant.file === file ? placeOf(mutant, places) : undefined;
      return place === undefined ? [] : [{ mutant, place, position }];
    });
    const batches = batchesOf(file, switched).filter(({ length }) => length >= minimumBatch);
    return batches.map((batch) => ({ file, batch }));
  });
  await keepBusy(() => {
    const next = work.shift();
    if (next === undefined) return undefined;
    return (worker) => {
      let sinceMs = Date.now();
      return ask(worker, { kind: 'batch', ...next }, (index, outcome) => {
        const position = next.batch[index]?.position;
        if (position === undefined) throw new Error(`a worker answered for mutant ${index}, which it was not given`);
        reportResult(sample.record(position, outcome), sinceMs);
        sinceMs = Date.now();
      });
    };
  });
}

/** Mutants one by one until the sample is judged. */
async function judgeAlone(): Promise<void> {
  await keepBusy(() => {
    const position = sample.next();
    if (position === undefined) return undefined;
    const sinceMs = Date.now();
    return (worker) =>
      ask(worker, { kind: 'one', mutant: sample.mutant(position) }, (_, outcome) =>
        reportResult(sample.record(position, outcome), sinceMs),
      );
  });
}

/** Gives every idle worker the next piece of work until there is none or time is over, and waits for the last. */
async function keepBusy(next: () => ((worker: ChildProcess) => Promise<void>) | undefined): Promise<void> {
  const idle = [...workers];
  const busy = new Set<Promise<void>>();
  for (;;) {
    while (Date.now() - startedMs < maxDurationMs) {
      const worker = idle.pop();
      if (worker === undefined) break;
      const work = next();
      if (work === undefined) {
        idle.push(worker);
        break;
      }
      const done = work(worker).finally(() => {
        busy.delete(done);
        idle.push(worker);
      });
      busy.add(done);
    }
    if (busy.size === 0) return;
    await Promise.race(busy);
  }
}

/** Sends work to a worker and hands on its outcomes until it is idle again. */
function ask(worker: ChildProcess, asked: Asked, use: (index: number, outcome: Outcome) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`a worker ended with ${code}; AGAIN=1 continues`));
    const read = (answered: Answered) => {
      if ('outcome' in answered) return use(answered.index, answered.outcome);
      worker.removeListener('exit', ended);
      worker.removeListener('message', read);
      resolve();
    };
    worker.once('exit', ended);
    worker.on('message', read);
    worker.send(asked);
  });
}

function reportResult({ position, status, file, line, operator, after, by }: MutantResult, sinceMs: number): void {
  writeResults(resultsFile, subject, sample.results);
  const how = by === undefined ? '' : ` by ${by}`;
  say(`${position} ${status} after ${secondsSince(sinceMs)} s: ${file}:${line} ${operator}: ${after}${how}`);
}

function secondsSince(ms: number): number {
  return Math.round((Date.now() - ms) / 100) / 10;
}
