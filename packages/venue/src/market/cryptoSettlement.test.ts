import { expect, test } from 'vitest';
import { cryptoSettlementOf } from './cryptoSettlement.ts';

const upDown = ['Up', 'Down'] as const;
const yesNo = ['Yes', 'No'] as const;
const stream = 'https://data.chain.link/streams/btc-usd';
const exchange = 'https://www.binance.com/en/trade/BTC_USDT';

test.each([
  ['averaged_ends', stream, 'Up when the end of the range is at least its beginning, by the oracle.', upDown],
  ['hourly_candle', exchange, 'Up when the BTC/USDT 1 hour candle of Binance closes at its open or above.', upDown],
  ['noon_candle', '', 'Yes when the Binance 1 minute candle of 12:00 ET has a final "Close" above the title.', yesNo],
  [
    'noon_candle',
    exchange,
    'Up when the "Close" of the Binance 1 minute candle 12:00 ET is higher than before.',
    upDown,
  ],
  // Prices that count when they are reached at any time.
  ['unknown', '', 'Yes if any Binance 1-minute candle has a final "High" price at or above the title.', yesNo],
  ['unknown', '', 'Yes if any Binance 1 minute candle between both dates has a final “Low” at 12:00 or below.', yesNo],
  ['unknown', '', 'Yes when Bitcoin makes an all time high on Binance by the 1 minute candle, 12:00 close.', yesNo],
  ['unknown', stream, 'Yes when the price will reach the title.', yesNo],
  // Another hour, another source, or nothing.
  ['unknown', '', 'Yes when the Binance 1 minute candle on the time and date of the title closes above it.', yesNo],
  ['unknown', 'https://prices.example', 'Up when the price at the end is at least that at the beginning.', upDown],
  ['unknown', '', '', upDown],
  ['unknown', stream, 'Yes when the price at the end is above the title.', yesNo],
  ['unknown', exchange, 'Yes when the 1 hour candle of Binance closes above the title.', yesNo],
] as const)('settlement: %s from %j and %j', (...[settlement, resolutionSource, description, outcomes]) => {
  expect(cryptoSettlementOf({ resolutionSource, description, outcomes })).toBe(settlement);
});
