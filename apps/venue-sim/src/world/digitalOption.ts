import { normalBelow } from './normalDistribution.ts';

/**
 * Fair price in dollars of a token that pays one dollar when the spot ends at or above the strike.
 *
 * @param option.volatilityPerSecond Standard deviation of the logarithmic return over one second.
 * @param option.secondsLeft 0 or less gives the outcome itself.
 */
export function digitalFairPrice(option: {
  readonly spotUsd: number;
  readonly strikeUsd: number;
  readonly volatilityPerSecond: number;
  readonly secondsLeft: number;
}): number {
  const { spotUsd, strikeUsd, volatilityPerSecond, secondsLeft } = option;
  if (secondsLeft <= 0) return spotUsd >= strikeUsd ? 1 : 0;
  const deviation = volatilityPerSecond * Math.sqrt(secondsLeft);
  return normalBelow((Math.log(spotUsd / strikeUsd) - (deviation * deviation) / 2) / deviation);
}
