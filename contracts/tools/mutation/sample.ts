import type { Mutant } from './mutantsOf.ts';
import { type JudgedOn, type MutantResult, type Outcome, resultOf } from './report.ts';

/** Reason to judge a mutant once more, alone: compiled with others, behind its switch, no quick test killed it. */
export const survivesBehindSwitch = 'survives behind its switch';

const hasSurvived = ({ status, by }: MutantResult): boolean => status === 'survived' || by === survivesBehindSwitch;

/**
 * The first so many of a shuffled list that can be judged. Mutants are handed out in the order of the list, and no more
 * at a time than are surely needed: what is in the sample does not depend on how many are judged side by side.
 */
export class Sample {
  readonly #mutants: readonly Mutant[];
  readonly #wanted: number;
  readonly #judgedOn: JudgedOn;
  readonly #results = new Map<number, MutantResult>();
  readonly #underWay = new Set<number>();
  /** Places to judge once more: what could not be judged, and survivors, each of which takes all of the tests. */
  readonly #unjudged: number[];
  readonly #survived: number[];

  /** @param isDue Whether an earlier result has to be found once more. */
  constructor(
    mutants: readonly Mutant[],
    { wanted, judgedOn }: { readonly wanted: number; readonly judgedOn: JudgedOn },
    earlier: { readonly results: readonly MutantResult[]; readonly isDue: (result: MutantResult) => boolean },
  ) {
    this.#mutants = mutants;
    this.#wanted = wanted;
    this.#judgedOn = judgedOn;
    for (const result of earlier.results) this.#results.set(result.position, result);
    const again = earlier.results.filter(earlier.isDue);
    this.#unjudged = again.filter((result) => !hasSurvived(result)).map(({ position }) => position);
    this.#survived = again.filter(hasSurvived).map(({ position }) => position);
  }

  get results(): readonly MutantResult[] {
    return [...this.#results.values()];
  }

  /** Return true for a position with a result, also with one that could not be judged. */
  has(position: number): boolean {
    return this.#results.has(position);
  }

  /** The next place to judge, survivors last; undefined when those under way may be enough. */
  next(): number | undefined {
    const position = this.#unjudged.shift() ?? this.#nextNew() ?? this.#survived.shift();
    if (position !== undefined) this.#underWay.add(position);
    return position;
  }

  mutant(position: number): Mutant {
    const mutant = this.#mutants[position];
    if (mutant === undefined) throw new Error(`no mutant ${position}`);
    return mutant;
  }

  record(position: number, outcome: Outcome): MutantResult {
    const result = resultOf(position, this.mutant(position), { ...outcome, judgedOn: this.#judgedOn });
    this.#underWay.delete(position);
    this.#results.set(position, result);
    return result;
  }

  #nextNew(): number | undefined {
    // A survivor counts as judged until it is judged again.
    const judged = this.results.filter(
      (result) => (result.status === 'killed' || hasSurvived(result)) && !this.#underWay.has(result.position),
    );
    if (judged.length + this.#underWay.size >= this.#wanted) return undefined;
    let position = 0;
    while (this.#results.has(position) || this.#underWay.has(position)) position += 1;
    return position < this.#mutants.length ? position : undefined;
  }
}
