import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { explanationOf } from './explained.ts';
import type { Mutant } from './mutantsOf.ts';

/**
 * How a mutant ended. Code that compiles to the same bytes is no mutant; what does not compile is none either.
 * A mutant whose tests could not run is not judged, and the next of the sample takes its place.
 */
export type MutantStatus = 'killed' | 'survived' | 'same code' | 'does not compile' | 'not judged';

/** A mutant and how it ended, without its texts. */
export interface MutantResult extends Omit<Mutant, 'source' | 'edit'> {
  /** Its place in the shuffled list. */
  readonly position: number;
  readonly status: MutantStatus;
  /** The first test that failed, or why none could run. */
  readonly by?: string;
}

/** What a run is about; a later run goes on only from a report of the same. */
export interface Subject {
  readonly seed: number;
  readonly mutantsInAll: number;
  /** Digest of the code without a mutant. */
  readonly code: string;
}

/** What is counted of a run. */
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

/** A subject and a row for each result: what else a result says follows from its place among the mutants. */
interface Kept extends Subject {
  readonly results: readonly (readonly [position: number, status: MutantStatus, by: string | null])[];
}

/**
 * The results that a file keeps, or undefined when there is none yet.
 *
 * @param mutants In the order that the subject's seed gives.
 * @throws Error when the file is about other mutants or other code.
 */
export function readResults(path: string, subject: Subject, mutants: readonly Mutant[]): MutantResult[] | undefined {
  if (!existsSync(path)) return undefined;
  const kept = JSON.parse(readFileSync(path, 'utf8')) as Kept;
  if (kept.seed !== subject.seed || kept.mutantsInAll !== subject.mutantsInAll || kept.code !== subject.code) {
    throw new Error('the results are about another seed or other contracts; start a new run without AGAIN');
  }
  return kept.results.map(([position, status, by]) =>
    resultOf(position, mutants[position] as Mutant, by === null ? { status } : { status, by }),
  );
}

/** Replaces the results of a file at once, so that a run that is killed leaves a whole one. A line for each. */
export function writeResults(
  path: string,
  { seed, mutantsInAll, code }: Subject,
  results: readonly MutantResult[],
): void {
  const rows = inOrder(results).map(({ position, status, by }) => JSON.stringify([position, status, by ?? null]));
  const head = JSON.stringify({ seed, mutantsInAll, code }).slice(0, -1);
  writeFileSync(`${path}.part`, `${head},"results":[\n${rows.join(',\n')}\n]}\n`);
  renameSync(`${path}.part`, path);
}

/** A mutant and how it ended. */
export function resultOf(
  position: number,
  { source: _source, edit: _edit, ...description }: Mutant,
  outcome: Pick<MutantResult, 'status' | 'by'>,
): MutantResult {
  return { position, ...description, ...outcome };
}

function inOrder(results: readonly MutantResult[]): MutantResult[] {
  return [...results].sort((a, b) => a.position - b.position);
}

/** Counts results, in the order of the shuffled list whatever order they came in. */
export function reportOf({ seed, mutantsInAll, code }: Subject, unordered: readonly MutantResult[]): Report {
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
    code,
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
