import type { Mutant } from './mutantsOf.ts';
import type { Verdict } from './report.ts';

/**
 * The first so many of a shuffled list that can be judged. Mutants are handed out in the order of the list, and no more
 * at a time than are surely needed: what is in the sample does not depend on how many are judged side by side.
 */
export class Sample {
  readonly #mutants: readonly Mutant[];
  readonly #wanted: number;
  readonly #verdicts = new Map<number, Verdict>();
  readonly #underWay = new Set<number>();
  /** Places to judge once more: survivors of an earlier run and what could not be judged. */
  readonly #again: number[];

  constructor(mutants: readonly Mutant[], wanted: number, earlier: readonly Verdict[]) {
    this.#mutants = mutants;
    this.#wanted = wanted;
    for (const verdict of earlier) this.#verdicts.set(verdict.position, verdict);
    this.#again = earlier
      .filter(({ fate }) => fate === 'survived' || fate === 'not judged')
      .map(({ position }) => position);
  }

  get verdicts(): readonly Verdict[] {
    return [...this.#verdicts.values()];
  }

  /** The next place to judge; undefined when those under way may be enough. */
  next(): number | undefined {
    const position = this.#again.shift() ?? this.#nextNew();
    if (position !== undefined) this.#underWay.add(position);
    return position;
  }

  mutant(position: number): Mutant {
    const mutant = this.#mutants[position];
    if (mutant === undefined) throw new Error(`no mutant ${position}`);
    return mutant;
  }

  record(position: number, outcome: Pick<Verdict, 'fate' | 'by'>): Verdict {
    const { source: _source, ...description } = this.mutant(position);
    const verdict = { position, ...description, ...outcome };
    this.#underWay.delete(position);
    this.#verdicts.set(position, verdict);
    return verdict;
  }

  #nextNew(): number | undefined {
    const judged = this.verdicts.filter(
      ({ position, fate }) => (fate === 'killed' || fate === 'survived') && !this.#underWay.has(position),
    );
    if (judged.length + this.#underWay.size >= this.#wanted) return undefined;
    let position = 0;
    while (this.#verdicts.has(position) || this.#underWay.has(position)) position += 1;
    return position < this.#mutants.length ? position : undefined;
  }
}
