import type { GameModel } from './gameModel.ts';
import { normalBelow } from './normalDistribution.ts';
import type { RandomStream } from './random.ts';

export interface PhaseRules {
  /** Phases of both sides together: possessions, half-innings, minutes. */
  readonly phases: number;
  readonly secondsPerPhase: number;
  /** Points of one phase with their probabilities, for a side of average strength. */
  readonly points: readonly (readonly [points: number, probability: number])[];
  readonly canDraw: boolean;
  readonly showPeriod: (state: { readonly phasesPlayed: number; readonly isEnded: boolean }) => string;
}

/** A game of alternating phases with a fixed number of them: basketball, baseball, soccer. */
export class PhaseGame implements GameModel {
  readonly #rules: PhaseRules;
  readonly #random: RandomStream;
  /** Extra expected points per phase of the first side, taken from the second. */
  readonly #edge: number;
  readonly #meanPoints: number;
  readonly #variance: number;
  #scores: [number, number] = [0, 0];
  #phasesPlayed = 0;
  #secondsPlayed = 0;
  #isEnded = false;

  constructor(parameters: { readonly rules: PhaseRules; readonly random: RandomStream; readonly edge: number }) {
    this.#rules = parameters.rules;
    this.#random = parameters.random;
    this.#edge = parameters.edge;
    this.#meanPoints = parameters.rules.points.reduce((sum, [points, chance]) => sum + points * chance, 0);
    const meanSquare = parameters.rules.points.reduce((sum, [points, chance]) => sum + points * points * chance, 0);
    this.#variance = meanSquare - this.#meanPoints ** 2;
  }

  step(): void {
    if (this.#isEnded) return;
    this.#secondsPlayed += 1;
    if (this.#secondsPlayed < (this.#phasesPlayed + 1) * this.#rules.secondsPerPhase) return;
    this.#playPhase();
  }

  #playPhase(): void {
    const side = this.#phasesPlayed % 2 === 0 ? 0 : 1;
    const strength = 1 + (side === 0 ? this.#edge : -this.#edge) / this.#meanPoints;
    let rest = this.#random.unit() / Math.max(0.05, strength);
    for (const [points, chance] of this.#rules.points) {
      if (points > 0 && rest < chance) {
        this.#scores[side] += points;
        break;
      }
      if (points > 0) rest -= chance;
    }
    this.#phasesPlayed += 1;
    const isLevel = this.#scores[0] === this.#scores[1];
    if (this.#phasesPlayed >= this.#rules.phases && this.#phasesPlayed % 2 === 0 && (!isLevel || this.#rules.canDraw)) {
      this.#isEnded = true;
    }
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  get winner(): 0 | 1 | null {
    if (!this.#isEnded || this.#scores[0] === this.#scores[1]) return null;
    return this.#scores[0] > this.#scores[1] ? 0 : 1;
  }

  get score(): string {
    return `${this.#scores[0]}-${this.#scores[1]}`;
  }

  get period(): string {
    return this.#rules.showPeriod({ phasesPlayed: this.#phasesPlayed, isEnded: this.#isEnded });
  }

  get #phasesLeft(): number {
    if (this.#isEnded) return 0;
    const isLevel = this.#scores[0] === this.#scores[1];
    const fraction = this.#secondsPlayed / this.#rules.secondsPerPhase - this.#phasesPlayed;
    const phasesAhead = this.#rules.phases - this.#phasesPlayed - Math.min(0.9, Math.max(0, fraction));
    // A tied game continues until a pair of phases decides it.
    return Math.max(phasesAhead, isLevel && !this.#rules.canDraw ? 2 : 0.1);
  }

  #marginBelow(line: number): number {
    const margin = this.#scores[0] - this.#scores[1];
    if (this.#isEnded) return margin < line ? 1 : 0;
    const phasesAhead = this.#phasesLeft;
    return normalBelow((line - margin - this.#edge * phasesAhead) / Math.sqrt(phasesAhead * this.#variance));
  }

  winProbability(): number {
    if (this.#rules.canDraw) return 1 - this.#marginBelow(0.5);
    if (this.#isEnded) return this.winner === 0 ? 1 : 0;
    return 1 - this.#marginBelow(0);
  }

  drawProbability(): number {
    return this.#rules.canDraw ? this.#marginBelow(0.5) - this.#marginBelow(-0.5) : 0;
  }

  marginAbove(line: number): number {
    return 1 - this.#marginBelow(line);
  }

  totalAbove(line: number): number {
    const total = this.#scores[0] + this.#scores[1];
    if (this.#isEnded) return total > line ? 1 : 0;
    const phasesAhead = this.#phasesLeft;
    return 1 - normalBelow((line - total - this.#meanPoints * phasesAhead) / Math.sqrt(phasesAhead * this.#variance));
  }

  swapScores(): void {
    if (this.#isEnded) return;
    const [first, second] = this.#scores;
    this.#scores = first === second ? [first, second + 1] : [second, first];
  }
}
