import type { Market } from '@core/sdk';

type Reason = NonNullable<Market['rejection_reason_code']>;

/** Sentence for each of the service's reasons to accept no new positions. */
const reasonTexts: Readonly<Record<Reason, string>> = {
  QUOTE_MARKET_NOT_ACTIVE: 'The market is closed.',
  QUOTE_MARKET_UNSUPPORTED_CATEGORY: 'Only crypto and sport markets are offered.',
  QUOTE_MARKET_UNSUPPORTED_CRYPTO_ASSET: 'The underlying asset has no price feed.',
  QUOTE_MARKET_OPEN_INTEREST_TOO_LOW: 'Open interest is too low.',
  QUOTE_MARKET_RISK_TOO_HIGH: 'The price is too volatile to lend against.',
  QUOTE_MAX_LEVERAGE_TOO_LOW: 'Even the lowest leverage is not available now.',
  QUOTE_TRADING_WINDOW_CLOSING: 'The market closes too soon.',
  QUOTE_HARD_EXIT_TOO_CLOSE: 'The market closes too soon.',
  QUOTE_EVENT_NOT_STARTED: 'The event has not started.',
  QUOTE_SIDE_CAPACITY_EXCEEDED: 'The borrow capacity of this side is used up.',
  QUOTE_ENTRY_BOOK_ONE_SIDED: 'The order book has only one side.',
  QUOTE_ENTRY_EXCLUDED_SPORT: 'This sport is not offered.',
  QUOTE_ENTRY_EXCLUDED_MARKET_TYPE: 'This kind of market is not offered.',
  QUOTE_ENTRY_SPREAD_TOO_WIDE: 'The spread is too wide.',
  QUOTE_ENTRY_DEPTH_TOO_LOW: 'The order book is too thin.',
  QUOTE_ENTRY_BID_DEPTH_TOO_LOW: 'There are too few bids to sell into.',
  QUOTE_ENTRY_MARKET_TOO_ELAPSED: 'Too much of the event has passed.',
  QUOTE_ENTRY_TOP_HOLDER_TOO_HIGH: 'One holder owns too large a share.',
  QUOTE_ENTRY_VOLUME_TOO_LOW: '24-hour volume is too low.',
  QUOTE_ENTRY_PRICE_OUT_OF_RANGE: 'The price is too close to 0 or 1.',
  NOTIONAL_SELECTOR_BELOW_MIN_NOTIONAL: 'The order book cannot fill the smallest size.',
  NOTIONAL_SELECTOR_PREGAME_INSUFFICIENT_LIQUIDITY: 'Liquidity before the game is too low.',
  RISK_ENGINE_MARKET_DISABLED: 'Disabled by the operator.',
};

export const reasonText = (reason: Market['rejection_reason_code']): string | null =>
  reason === null ? null : reasonTexts[reason];
