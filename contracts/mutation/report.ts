import { existsSync, readFileSync } from 'node:fs';
import type { Mutant } from './mutantsOf.ts';

/** What became of a mutant. Code that compiles to the same bytes is no mutant; what does not compile is none either. */
export type Fate = 'killed' | 'survived' | 'same code' | 'does not compile';

/** A judged mutant, without its whole file. */
export interface Judged extends Omit<Mutant, 'source'> {
  readonly fate: Fate;
  /** The first test that failed. */
  readonly by?: string;
}

/** What a run leaves behind; a later run goes on from it. */
export interface Report {
  readonly seed: number;
  /** Mutants that exist, and how many of the shuffled list were looked at. */
  readonly mutantsInAll: number;
  readonly examined: number;
  readonly judged: number;
  readonly killed: number;
  readonly survived: number;
  readonly sameCode: number;
  readonly doesNotCompile: number;
  readonly scorePercent: number;
  readonly survivors: readonly Judged[];
}

/** The report of a file, or undefined when there is none yet. */
export function readReport(path: string): Report | undefined {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Report) : undefined;
}

/** Adds newly judged mutants to what an earlier run counted, whose survivors are judged again. */
export function reportOf(
  { seed, mutantsInAll, examined }: Pick<Report, 'seed' | 'mutantsInAll' | 'examined'>,
  results: readonly Judged[],
  earlier: Report | undefined,
): Report {
  const count = (fate: Fate) => results.filter((result) => result.fate === fate).length;
  const killed = count('killed') + (earlier?.killed ?? 0);
  const judgedAgain = (before: Judged) => results.some((result) => sameMutant(result, before));
  const survivors = [
    ...(earlier?.survivors ?? []).filter((before) => !judgedAgain(before)),
    ...results.filter(({ fate }) => fate === 'survived'),
  ];
  const judged = killed + survivors.length;
  return {
    seed,
    mutantsInAll,
    examined,
    judged,
    killed,
    survived: survivors.length,
    sameCode: count('same code') + (earlier?.sameCode ?? 0),
    doesNotCompile: count('does not compile') + (earlier?.doesNotCompile ?? 0),
    scorePercent: judged === 0 ? 0 : Math.round((killed * 1000) / judged) / 10,
    survivors,
  };
}

/** Whether two descriptions mean the same change, wherever the line stands now. */
export function sameMutant(a: Omit<Mutant, 'source'>, b: Omit<Mutant, 'source'>): boolean {
  return a.file === b.file && a.operator === b.operator && a.before === b.before && a.after === b.after;
}
