import { randomOf, seedOf } from '../market/random.ts';

/** A ratio with its 95 % interval. */
export interface Interval {
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
}

const resampleCount = 1_000;

/**
 * Return the ratio of two sums with its bootstrap interval. Whole clusters are drawn with replacement, because a
 * cluster is one bet; the draws are the same in every run. NaN without a denominator.
 */
export function intervalOf<T>(
  items: readonly T[],
  ratio: {
    readonly clusterOf: (item: T) => string;
    readonly dividend: (item: T) => number;
    readonly divisor: (item: T) => number;
  },
): Interval {
  const clusters = new Map<string, { dividend: number; divisor: number }>();
  for (const item of items) {
    const id = ratio.clusterOf(item);
    const cluster = clusters.get(id) ?? { dividend: 0, divisor: 0 };
    clusters.set(id, cluster);
    cluster.dividend += ratio.dividend(item);
    cluster.divisor += ratio.divisor(item);
  }
  const sums = [...clusters.values()];
  const random = randomOf(seedOf('bootstrap'));
  const values: number[] = [];
  for (let draw = 0; draw < resampleCount; draw += 1) {
    let [dividend, divisor] = [0, 0];
    for (let index = 0; index < sums.length; index += 1) {
      const cluster = sums[Math.floor(random() * sums.length)];
      dividend += cluster?.dividend ?? 0;
      divisor += cluster?.divisor ?? 0;
    }
    values.push(dividend / divisor);
  }
  values.sort((a, b) => a - b);
  const at = (share: number): number => values[Math.floor(share * (resampleCount - 1))] ?? Number.NaN;
  const whole = sums.reduce((a, b) => ({ dividend: a.dividend + b.dividend, divisor: a.divisor + b.divisor }), {
    dividend: 0,
    divisor: 0,
  });
  return { value: whole.dividend / whole.divisor, lower: at(0.025), upper: at(0.975) };
}
