import type { MarketSnapshot } from '@core/market';
import type { PolicyConfig } from '../config.ts';

/**
 * True when the silence of the reference feed makes the variance count twice. A missing feed is not silent: its market
 * has a code of its own.
 */
export function isReferenceSilent(snapshot: MarketSnapshot, config: PolicyConfig): boolean {
  if (snapshot.reference === null) return false;
  // Feeds speak at their own pace: a score every two minutes is no silence, a spot price is.
  const limitMs = snapshot.facts.category === 'sport' ? config.ages.maxSportSilenceMs : config.ages.maxSpotSilenceMs;
  return snapshot.reference.ageMs >= limitMs;
}
