/** Game in progress, advanced by whole seconds of its own clock (seconds since its start). */
export interface GameModel {
  /** Play one second. */
  step(): void;
  readonly isEnded: boolean;
  /** 0 when the first side won, 1 the second, null while it runs or when it was a draw. */
  readonly winner: 0 | 1 | null;
  /** Return the score in the format of the venue's event. */
  readonly score: string;
  readonly period: string;
  /** Probability that the first side wins, 0 to 1. */
  winProbability(): number;
  /** Probability of a draw; 0 in games that cannot end in one. */
  drawProbability(): number;
  /** Probability that the first side ends more than `line` ahead (handicaps). */
  marginAbove(line: number): number;
  /** Probability that both sides together end above `line`. */
  totalAbove(line: number): number;
  /** Swap the scores, so that the leader trails. A tie is broken for the second side. */
  swapScores(): void;
}
