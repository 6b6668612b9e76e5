import type { Market } from '@core/sdk';

type Reason = NonNullable<Market['rejection_reason_code']>;

/** Why no position can be opened now, one sentence for each reason of the service. */
const reasonTexts: Readonly<Record<Reason, string>> = {
  QUOTE_MARKET_NOT_ACTIVE: 'The market does not trade any more.',
  QUOTE_MARKET_UNSUPPORTED_CATEGORY: 'Only crypto and sport markets are offered.',
  QUOTE_MARKET_UNSUPPORTED_CRYPTO_ASSET: 'There is no price feed for the asset behind it.',
  QUOTE_MARKET_OPEN_INTEREST_TOO_LOW: 'Too little is invested in it.',
  QUOTE_MARKET_RISK_TOO_HIGH: 'Its price is too unsettled to lend against.',
  QUOTE_MAX_LEVERAGE_TOO_LOW: 'It cannot carry even the lowest leverage now.',
  QUOTE_TRADING_WINDOW_CLOSING: 'It closes too soon to open anything.',
  QUOTE_HARD_EXIT_TOO_CLOSE: 'It closes too soon to open anything.',
  QUOTE_EVENT_NOT_STARTED: 'The event has not begun.',
  QUOTE_SIDE_CAPACITY_EXCEEDED: 'All that may be lent on this side is lent.',
  QUOTE_ENTRY_BOOK_ONE_SIDED: 'Its order book has only one side.',
  QUOTE_ENTRY_EXCLUDED_SPORT: 'This sport is not offered.',
  QUOTE_ENTRY_EXCLUDED_MARKET_TYPE: 'This kind of market is not offered.',
  QUOTE_ENTRY_SPREAD_TOO_WIDE: 'Ask and bid are too far apart.',
  QUOTE_ENTRY_DEPTH_TOO_LOW: 'Too little is offered in its order book.',
  QUOTE_ENTRY_BID_DEPTH_TOO_LOW: 'Too few want to buy, so that a sale would move the price.',
  QUOTE_ENTRY_MARKET_TOO_ELAPSED: 'Too much of its time is over.',
  QUOTE_ENTRY_TOP_HOLDER_TOO_HIGH: 'One holder has too large a part of it.',
  QUOTE_ENTRY_VOLUME_TOO_LOW: 'Too little was traded in the last day.',
  QUOTE_ENTRY_PRICE_OUT_OF_RANGE: 'Its price is too close to 0 or 1.',
  NOTIONAL_SELECTOR_BELOW_MIN_NOTIONAL: 'Not even the smallest size can be filled.',
  NOTIONAL_SELECTOR_PREGAME_INSUFFICIENT_LIQUIDITY: 'Before the game too little is offered.',
  RISK_ENGINE_MARKET_DISABLED: 'The operator has switched it off.',
};

export const reasonText = (reason: Market['rejection_reason_code']): string | null =>
  reason === null ? null : reasonTexts[reason];
