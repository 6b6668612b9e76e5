import type { Bench, Contestant, Effort, Observation } from './row.ts';

/** Comparison of the subject with another contestant. */
export interface Comparison {
  readonly against: string;
  /** Median over the rounds of the other's rate. */
  readonly ratePerSecond: number;
  /** Median over the rounds of the subject's rate divided by the other's in the same round. */
  readonly ratio: number;
  readonly atLeast: number | null;
  readonly isMet: boolean;
}

/** Result of one row. */
export interface Measurement {
  readonly subject: string;
  readonly ratePerSecond: number;
  readonly comparisons: readonly Comparison[];
  readonly observations: readonly Observation[];
}

/** Return the median of sorted values, the lower one of an even number. */
function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}

/**
 * Measure subject and others in interleaved rounds, each in another order, so that a change of speed of the machine
 * affects all. Ratios are formed within a round and their median is reported. A warm-up round runs first.
 */
export async function measure(bench: Bench, usual: Effort): Promise<Measurement> {
  const effort = bench.effort ?? usual;
  const contestants = [bench.subject, ...bench.others];
  const rates = new Map<Contestant, number[]>(contestants.map((contestant) => [contestant, []]));
  for (let round = -1; round < effort.rounds; round += 1) {
    const shift = (round + contestants.length) % contestants.length;
    for (const contestant of [...contestants.slice(shift), ...contestants.slice(0, shift)]) {
      const rate = await contestant.measureRate(effort.roundMs);
      if (round >= 0) rates.get(contestant)?.push(rate);
    }
  }
  const own = rates.get(bench.subject) ?? [];
  const medians = new Map(contestants.map((contestant) => [contestant.name, medianOf(rates.get(contestant) ?? [])]));
  return {
    subject: bench.subject.name,
    ratePerSecond: medianOf(own),
    comparisons: bench.others.map((other) => {
      const theirs = rates.get(other) ?? [];
      const ratio = medianOf(own.map((rate, round) => rate / (theirs[round] ?? Number.NaN)));
      const atLeast = bench.bars.find((bar) => bar.against === other.name)?.atLeast ?? null;
      return {
        against: other.name,
        ratePerSecond: medianOf(theirs),
        ratio,
        atLeast,
        isMet: atLeast === null || ratio >= atLeast,
      };
    }),
    observations: (await bench.observe?.(medians)) ?? [],
  };
}
