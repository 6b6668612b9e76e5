/** Categories of the catalogue. `unsupported` never reaches a list. */
export const marketCategories = ['crypto', 'sport', 'unsupported'] as const;
export type MarketCategory = (typeof marketCategories)[number];

/** Intervals at which the markets of a crypto series resolve. */
export const cryptoCadences = ['five_minute', 'fifteen_minute', 'hourly', 'daily'] as const;
export type CryptoCadence = (typeof cryptoCadences)[number];

/**
 * Rules that settle crypto markets. `averaged_ends`: the oracle's average of the last minute of a span against that
 * before it. `hourly_candle`, `noon_candle`: candles of an exchange. `unknown`: a rule that no model covers, such as a
 * price reached at any time.
 */
export const cryptoSettlements = ['averaged_ends', 'hourly_candle', 'noon_candle', 'unknown'] as const;
export type CryptoSettlement = (typeof cryptoSettlements)[number];

/** Sports with a typical length of their own; `other` is every other two-way sport. */
export const sports = [
  'tennis',
  'esport',
  'basketball',
  'baseball',
  'cricket',
  'soccer',
  'table_tennis',
  'american_football',
  'ice_hockey',
  'other',
] as const;
export type Sport = (typeof sports)[number];

/** Subjects of a bet on a game. Only a two-way `winner` is viable once the game runs (risk policy, finding 4). */
export const sportLines = ['winner', 'three_way_winner', 'spread', 'total', 'prop'] as const;
export type SportLine = (typeof sportLines)[number];

const minuteSeconds = 60;

/** Length of a typical game in seconds. */
export const typicalGameSeconds: Readonly<Record<Sport, number>> = {
  tennis: 112 * minuteSeconds,
  esport: 150 * minuteSeconds,
  basketball: 115 * minuteSeconds,
  baseball: 150 * minuteSeconds,
  cricket: 180 * minuteSeconds,
  soccer: 110 * minuteSeconds,
  table_tennis: 180 * minuteSeconds,
  american_football: 180 * minuteSeconds,
  ice_hockey: 180 * minuteSeconds,
  other: 180 * minuteSeconds,
};
