import type { Market } from '@core/sdk';

const units = [
  { name: 'd', ms: 86_400_000 },
  { name: 'h', ms: 3_600_000 },
  { name: 'min', ms: 60_000 },
] as const;

/** Return a duration in its largest unit: `3 d`, `5 h`, `12 min`. */
export function spanText(durationMs: number): string {
  const unit = units.find(({ ms }) => durationMs >= ms) ?? units[2];
  return `${Math.max(0, Math.floor(durationMs / unit.ms))} ${unit.name}`;
}

/** Return the maximum duration of leverage: debt is repaid before the market closes. */
export function lifeText({ close_time: closeTime }: Pick<Market, 'close_time'>, nowMs: number): string {
  return closeTime === null ? 'no fixed end' : spanText(Date.parse(closeTime) - nowMs);
}
