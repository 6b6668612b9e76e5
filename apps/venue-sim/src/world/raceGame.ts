import type { GameModel } from './gameModel.ts';
import type { RandomStream } from './random.ts';

interface RaceLevel {
  readonly target: number;
  /** True when a lead of two is needed once both are one short of the target. */
  readonly needsLeadOfTwo: boolean;
}

export interface RaceRules {
  /** From the smallest unit to the match: points, games, sets. */
  readonly levels: readonly RaceLevel[];
  /** Average seconds between two smallest units. */
  readonly secondsPerUnit: number;
  readonly showScore: (state: RaceScore) => string;
  readonly showPeriod: (state: RaceScore) => string;
}

export interface RaceScore {
  /** Current counts of each level, smallest first; the last is the match itself. */
  readonly counts: readonly (readonly [number, number])[];
  /** Final counts of the finished units of the level below the match, oldest first. */
  readonly finished: readonly (readonly [number, number])[];
  readonly isEnded: boolean;
}

/** Probability of winning a race to `target` from a : b when each unit is won with probability p. */
function raceProbability(level: RaceLevel, p: number, [a, b]: readonly [number, number]): number {
  const { target, needsLeadOfTwo } = level;
  const memo = new Map<number, number>();
  const from = (left: number, right: number): number => {
    if (needsLeadOfTwo && left >= target - 1 && right >= target - 1) {
      const even = (p * p) / (p * p + (1 - p) * (1 - p));
      if (left - right >= 2) return 1;
      if (right - left >= 2) return 0;
      if (left === right) return even;
      return left > right ? p + (1 - p) * even : p * even;
    }
    if (left >= target) return 1;
    if (right >= target) return 0;
    const key = left * 64 + right;
    const memoised = memo.get(key);
    if (memoised !== undefined) return memoised;
    const value = p * from(left + 1, right) + (1 - p) * from(left, right + 1);
    memo.set(key, value);
    return value;
  };
  return from(a, b);
}

/** Nested races (tennis: points, games, sets; esport: rounds, maps): every unit is won with one fixed probability. */
export class RaceGame implements GameModel {
  readonly #rules: RaceRules;
  readonly #random: RandomStream;
  readonly #unitProbability: number;
  #counts: [number, number][];
  #finished: [number, number][] = [];
  #winner: 0 | 1 | null = null;

  constructor(parameters: {
    readonly rules: RaceRules;
    readonly random: RandomStream;
    readonly unitProbability: number;
  }) {
    this.#rules = parameters.rules;
    this.#random = parameters.random;
    this.#unitProbability = parameters.unitProbability;
    this.#counts = parameters.rules.levels.map(() => [0, 0]);
  }

  step(): void {
    if (this.#winner !== null || this.#random.unit() >= 1 / this.#rules.secondsPerUnit) return;
    this.#score(0, this.#random.unit() < this.#unitProbability ? 0 : 1);
  }

  #score(levelIndex: number, side: 0 | 1): void {
    const level = this.#rules.levels[levelIndex];
    const counts = this.#counts[levelIndex];
    if (level === undefined || counts === undefined) return;
    counts[side] += 1;
    const lead = counts[side] - counts[side === 0 ? 1 : 0];
    if (counts[side] < level.target || (level.needsLeadOfTwo && lead < 2)) return;
    if (levelIndex === this.#rules.levels.length - 1) {
      this.#winner = side;
      return;
    }
    if (levelIndex === this.#rules.levels.length - 2) this.#finished.push([...counts]);
    this.#counts[levelIndex] = [0, 0];
    this.#score(levelIndex + 1, side);
  }

  get isEnded(): boolean {
    return this.#winner !== null;
  }

  get winner(): 0 | 1 | null {
    return this.#winner;
  }

  get #state(): RaceScore {
    return { counts: this.#counts, finished: this.#finished, isEnded: this.isEnded };
  }

  get score(): string {
    return this.#rules.showScore(this.#state);
  }

  get period(): string {
    return this.#rules.showPeriod(this.#state);
  }

  winProbability(): number {
    if (this.#winner !== null) return this.#winner === 0 ? 1 : 0;
    // Probability of winning a fresh unit of each level, from the smallest up.
    const fresh = [this.#unitProbability];
    for (const level of this.#rules.levels) fresh.push(raceProbability(level, fresh.at(-1) ?? 0.5, [0, 0]));
    const climb = (levelIndex: number, addFirst: number, addSecond: number): number => {
      const level = this.#rules.levels[levelIndex];
      const counts = this.#counts[levelIndex];
      if (level === undefined || counts === undefined) return addFirst;
      const inside = raceProbability(level, fresh[levelIndex] ?? 0.5, [counts[0] + addFirst, counts[1] + addSecond]);
      if (levelIndex === this.#rules.levels.length - 1) return inside;
      return inside * climb(levelIndex + 1, 1, 0) + (1 - inside) * climb(levelIndex + 1, 0, 1);
    };
    return climb(0, 0, 0);
  }

  drawProbability(): number {
    return 0;
  }

  marginAbove(line: number): number {
    return this.winProbability() * (line > 0 ? 0.7 : 1);
  }

  totalAbove(): number {
    return 0.5;
  }

  swapScores(): void {
    if (this.#winner !== null) return;
    const shownLevels = this.#rules.levels.length - 2;
    const isTied = this.#counts.every(([first, second], levelIndex) => levelIndex < shownLevels || first === second);
    if (isTied) {
      // Tied: the less likely winner gets the next unit that is part of the score.
      this.#score(shownLevels, this.winProbability() < 0.5 ? 0 : 1);
      return;
    }
    this.#counts = this.#counts.map(([first, second]) => [second, first]);
    this.#finished = this.#finished.map(([first, second]) => [second, first]);
  }
}
