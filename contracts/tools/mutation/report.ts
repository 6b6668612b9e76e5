import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { RunStamp } from '../project/runStamp.ts';
import { explanationOf } from './explained.ts';
import type { Mutant } from './mutantsOf.ts';

/**
 * Status of a mutant. Code that compiles to the same bytes is no mutant; what does not compile is none either.
 * A mutant whose tests could not run is not judged, and the next of the sample takes its place.
 */
export type MutantStatus = 'killed' | 'survived' | 'same code' | 'does not compile' | 'not judged';

/** Under this share of killed mutants a run fails. */
export const minScorePercent = 95;

/** Sources that a mutant was judged on. */
export interface JudgedOn extends RunStamp {
  /** Digest of each source's code. */
  readonly files: Readonly<Record<string, string>>;
}

/** A mutant and how it ended, without its texts. */
export interface MutantResult extends Omit<Mutant, 'source' | 'edit'> {
  /** Its place in the shuffled list. */
  readonly position: number;
  readonly status: MutantStatus;
  /** The first test that failed, or why none could run. */
  readonly by?: string;
  readonly judgedOn: JudgedOn;
}

/** Outcome of a mutant. */
export type Outcome = Pick<MutantResult, 'status' | 'by'>;

/** Subject of a run. */
export interface Subject {
  readonly seed: number;
  readonly mutantsInAll: number;
}

/** Counts of a run. */
export interface Report extends Subject {
  readonly judged: number;
  readonly killed: number;
  readonly survived: number;
  /** Survivors that no test can kill. */
  readonly explained: number;
  readonly sameCode: number;
  readonly doesNotCompile: number;
  readonly notJudged: number;
  /** Killed of all that were judged. */
  readonly scorePercent: number;
  /** Killed of those that a test can kill. */
  readonly scoreWithoutExplainedPercent: number;
  readonly survivors: readonly MutantResult[];
  readonly results: readonly MutantResult[];
}

/** A row for each result; what else a result says follows from its mutant and its run. */
interface Kept extends Subject {
  readonly runs: readonly JudgedOn[];
  readonly results: readonly (readonly [id: string, status: MutantStatus, by: string | null, run: number])[];
}

/**
 * The results that a file keeps of these mutants, or undefined when there is none yet. What it keeps of a mutant that
 * does not exist any more, because the function it changed has changed, is left.
 *
 * @param mutants In the order of this run.
 */
export function readResults(path: string, mutants: readonly Mutant[]): MutantResult[] | undefined {
  if (!existsSync(path)) return undefined;
  const { runs, results }: Kept = JSON.parse(readFileSync(path, 'utf8'));
  const rows = new Map(results.map((row) => [row[0], row]));
  return mutants.flatMap((mutant, position) => {
    const [, status, by = null, run = -1] = rows.get(mutant.id) ?? [];
    const judgedOn = runs[run];
    if (status === undefined || judgedOn === undefined) return [];
    return [resultOf(position, mutant, { ...(by === null ? { status } : { status, by }), judgedOn })];
  });
}

/** Replaces the results of a file at once, so that a run that is killed leaves a whole one. A line for each. */
export function writeResults(path: string, { seed, mutantsInAll }: Subject, results: readonly MutantResult[]): void {
  const runs = runsOf(results);
  const rows = inOrder(results).map(({ id, status, by, judgedOn }) =>
    JSON.stringify([id, status, by ?? null, runs.findIndex((run) => isSameRun(run, judgedOn))]),
  );
  const head = JSON.stringify({ seed, mutantsInAll, runs }).slice(0, -1);
  writeFileSync(`${path}.part`, `${head},"results":[\n${rows.join(',\n')}\n]}\n`);
  renameSync(`${path}.part`, path);
}

/** Every run that results come from, the latest first. */
export function runsOf(results: readonly MutantResult[]): readonly JudgedOn[] {
  const runs: JudgedOn[] = [];
  for (const { judgedOn } of results) if (!runs.some((run) => isSameRun(run, judgedOn))) runs.push(judgedOn);
  return runs.sort((a, b) => b.date.localeCompare(a.date));
}

export function isSameRun(a: RunStamp, b: RunStamp): boolean {
  return a.date === b.date && a.codeDigest === b.codeDigest && a.testsDigest === b.testsDigest;
}

/**
 * Return whether a stored result has to be found again: it says nothing; or the mutant survived and no one says
 * why, or its source or one that it imports has changed since, so that a test may reach it in another way now.
 *
 * @param reaches Whether one source imports another, however indirectly.
 */
export function isDueAgain(
  { status, file, before, after, judgedOn }: MutantResult,
  now: JudgedOn,
  reaches: (from: string, to: string) => boolean,
): boolean {
  if (status === 'not judged') return true;
  if (status !== 'survived') return false;
  if (explanationOf({ file, before, after }) === undefined) return true;
  const files = new Set([...Object.keys(judgedOn.files), ...Object.keys(now.files)]);
  const changed = [...files].filter((one) => judgedOn.files[one] !== now.files[one]);
  return changed.some((one) => one === file || reaches(file, one));
}

/** A mutant and how it ended. */
export function resultOf(
  position: number,
  { source: _source, edit: _edit, ...description }: Mutant,
  outcome: Outcome & Pick<MutantResult, 'judgedOn'>,
): MutantResult {
  return { position, ...description, ...outcome };
}

function inOrder(results: readonly MutantResult[]): MutantResult[] {
  return [...results].sort((a, b) => a.position - b.position);
}

/** Counts results, in the order of the shuffled list whatever order they came in. */
export function reportOf({ seed, mutantsInAll }: Subject, unordered: readonly MutantResult[]): Report {
  const results = inOrder(unordered);
  const count = (status: MutantStatus) => results.filter((result) => result.status === status).length;
  const percent = (part: number, whole: number) => (whole === 0 ? 0 : Math.round((part * 1000) / whole) / 10);
  const survivors = results.filter(({ status }) => status === 'survived');
  const killed = count('killed');
  const judged = killed + survivors.length;
  const explained = survivors.filter((survivor) => explanationOf(survivor) !== undefined).length;
  return {
    seed,
    mutantsInAll,
    judged,
    killed,
    survived: survivors.length,
    explained,
    sameCode: count('same code'),
    doesNotCompile: count('does not compile'),
    notJudged: count('not judged'),
    scorePercent: percent(killed, judged),
    scoreWithoutExplainedPercent: percent(killed, judged - explained),
    survivors,
    results,
  };
}
