import type { Route } from '@core/policy';
import type { Phase } from '../life/entry.ts';
import { type Figures, figuresOf, type OfferedFigures, offeredFiguresOf } from './figures.ts';
import type { CandidateRecord, LifeRecord } from './lifeRecord.ts';

/** One phase of one scenario at one timing. */
export interface Result {
  readonly scenario: string;
  readonly route: Route;
  readonly exitSeconds: number;
  readonly timing: string;
  readonly phase: Phase;
  readonly figures: Figures;
  readonly offered: OfferedFigures;
}

export interface ResultInputs {
  readonly scenario: string;
  readonly route: Route;
  readonly exitSeconds: number;
  readonly phase: Phase;
  readonly timings: readonly string[];
  readonly candidates: readonly CandidateRecord[];
  /** By timing. */
  readonly lives: readonly (readonly LifeRecord[])[];
}

/** Return the figures of a phase at each timing; nothing for a phase without markets. */
export function resultsOf(inputs: ResultInputs): readonly Result[] {
  const { scenario, route, exitSeconds, phase } = inputs;
  const candidates = inputs.candidates.filter((candidate) => candidate.phase === phase);
  if (candidates.length === 0) return [];
  const offered = offeredFiguresOf(candidates);
  return inputs.timings.map((timing, index) => {
    const lives = (inputs.lives[index] ?? []).filter((life) => life.phase === phase);
    return { scenario, route, exitSeconds, timing, phase, offered, figures: figuresOf(lives) };
  });
}

/** A partition of lives for a table. */
export interface Split {
  readonly title: string;
  readonly partOf: (life: LifeRecord) => string;
}

const bucketOf =
  (limits: readonly number[], unit: string) =>
  (value: number): string => {
    const above = limits.findIndex((limit) => value < limit);
    if (above === 0) return `below ${limits[0]}${unit}`;
    if (above === -1) return `${limits.at(-1)}${unit} and more`;
    return `${limits[above - 1]}-${limits[above]}${unit}`;
  };

const priceBucket = bucketOf([0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9], '');
const leverageBucket = bucketOf([2.5, 3, 4, 5, 7.5, 10], 'x');
const minutesBucket: Readonly<Record<Phase, (minutes: number) => string>> = {
  crypto: bucketOf([15, 20, 30, 40, 50], ' min'),
  in_play: bucketOf([30, 45, 60, 90, 120], ' min'),
  pregame: bucketOf([30, 60, 120, 240, 360], ' min'),
};

export const splits: readonly Split[] = [
  { title: 'class', partOf: (life) => life.className },
  { title: 'entry price', partOf: (life) => priceBucket(life.entryPrice) },
  { title: 'time left', partOf: (life) => minutesBucket[life.phase](life.leftMinutes) },
  { title: 'leverage', partOf: (life) => leverageBucket(life.leverage) },
];

/** Return lives by part, ordered by the numbers with which the names begin. */
export function partsOf(lives: readonly LifeRecord[], split: Split): readonly (readonly [string, Figures])[] {
  const parts = new Map<string, LifeRecord[]>();
  for (const life of lives) {
    const part = split.partOf(life);
    const group = parts.get(part);
    if (group === undefined) parts.set(part, [life]);
    else group.push(life);
  }
  const rankOf = (part: string): number => {
    const first = Number.parseFloat(part);
    return Number.isNaN(first) ? -1 : first;
  };
  return [...parts]
    .toSorted(([a], [b]) => rankOf(a) - rankOf(b) || a.localeCompare(b))
    .map(([part, inPart]) => [part, figuresOf(inPart)] as const);
}
