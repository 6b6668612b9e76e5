/** Probability that a standard normal is below z (Abramowitz and Stegun 7.1.26, error below 2e-7). */
export function normalBelow(z: number): number {
  const x = Math.abs(z) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const polynomial = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const half = 0.5 * polynomial * Math.exp(-x * x);
  return z >= 0 ? 1 - half : half;
}
