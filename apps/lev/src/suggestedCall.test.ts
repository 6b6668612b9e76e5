import { expect, test } from 'vitest';
import { suggestedCall } from './suggestedCall.ts';

const suggested = { leverage_bps: 62_500, notional_amount_usd_pips: '1000000', slippage_bps: 500 };

test.each([
  [['open', 'btc-up', '--leverage', '9'], 'lev open btc-up --leverage 6.25 --notional 100.00 --slippage 500'],
  [
    ['quote', 'btc-up', '--notional=2', '--side', 'no'],
    'lev quote btc-up --side no --leverage 6.25 --notional 100.00 --slippage 500',
  ],
])('%j is suggested again with the size that would pass', (words, call) => {
  expect(suggestedCall(words, suggested)).toBe(call);
});
