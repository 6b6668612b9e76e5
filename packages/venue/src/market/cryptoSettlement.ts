import type { CryptoSettlement } from '@core/market';

/** Texts of a record that say how a crypto market is settled. */
export interface SettlementTexts {
  readonly resolutionSource: string;
  readonly description: string;
  readonly outcomes: readonly [string, string];
}

const isUpDown = ([first, second]: readonly [string, string]): boolean =>
  first.toLowerCase() === 'up' && second.toLowerCase() === 'down';

/**
 * Return the rule that settles a crypto market, from its source and description. A market that pays when a price is
 * reached at any time, at a high or low, or at another hour than noon has a rule of no family: `unknown`.
 */
export function cryptoSettlementOf({ resolutionSource, description, outcomes }: SettlementTexts): CryptoSettlement {
  const text = description.toLowerCase().replaceAll('minutes', 'minute').replaceAll('hours', 'hour');
  if (/["“”](high|low)["“”]|all[- ]time high|\bany\b[^.]*candle|\breach|\bdip/.test(text)) return 'unknown';
  if (/data\.chain\.link\/streams\//.test(resolutionSource.toLowerCase())) {
    return isUpDown(outcomes) ? 'averaged_ends' : 'unknown';
  }
  if (!text.includes('binance')) return 'unknown';
  if (/\b1[- ]hour candle|\b1h\b[^.]*candle/.test(text)) return isUpDown(outcomes) ? 'hourly_candle' : 'unknown';
  return /\b1[- ]minute candle/.test(text) && /\b12:00\b/.test(text) && text.includes('close')
    ? 'noon_candle'
    : 'unknown';
}
