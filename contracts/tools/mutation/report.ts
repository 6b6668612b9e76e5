import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { explanationOf } from './explained.ts';
import type { Mutant } from './mutantsOf.ts';

/**
 * How a mutant ended. Code that compiles to the same bytes is no mutant; what does not compile is none either.
 * A mutant whose tests could not run is not judged, and the next of the sample takes its place.
 */
export type MutantStatus = 'killed' | 'survived' | 'same code' | 'does not compile' | 'not judged';

/** A mutant and how it ended, without its whole file. */
export interface MutantResult extends Omit<Mutant, 'source'> {
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

/** What a run leaves behind. */
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

/** The report of a file, or undefined when there is none yet. */
export function readReport(path: string): Report | undefined {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Report) : undefined;
}

/** Replaces the report of a file at once, so that a run that is killed leaves a whole one. */
export function writeReport(path: string, report: Report): void {
  writeFileSync(`${path}.part`, `${JSON.stringify(report, null, 2)}\n`);
  renameSync(`${path}.part`, path);
}

/** @throws when a report is about other mutants or other code. */
export function assertSameSubject(report: Report, { seed, mutantsInAll, code }: Subject): void {
  if (report.seed === seed && report.mutantsInAll === mutantsInAll && report.code === code) return;
  throw new Error('the report is about another seed or other contracts; start a new run without AGAIN');
}

/** Counts results, in the order of the shuffled list whatever order they came in. */
export function reportOf({ seed, mutantsInAll, code }: Subject, unordered: readonly MutantResult[]): Report {
  const results = [...unordered].sort((a, b) => a.position - b.position);
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
