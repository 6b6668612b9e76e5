import { draftQuote, quote } from '@core/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeOf, startTestApi, type TestApi, wallets } from '../../testing/startTestApi.ts';

let api: TestApi;
let alice: string;
const body = {
  market_ticker: 'btc-up',
  effective_side: 'yes',
  leverage_bps: 30_000,
  notional_amount_usd_pips: '2500000',
  slippage_bps: 300,
};

beforeAll(async () => {
  api = await startTestApi();
  alice = await api.userOf(wallets.alice);
});
afterAll(() => api.close());

describe('POST /quotes', () => {
  test('answers a signed quote that fits the schema', async () => {
    const answer = await api.call('/quotes', { authorization: alice, body });
    expect([answer.status, codeOf(answer), answer.body]).toEqual([201, undefined, answer.body]);
    expect(quote.encode(quote.decode(answer.body as never))).toEqual(answer.body);
  });
  test('draft', async () => {
    const answer = await api.call('/draft-quotes', { authorization: alice, body });
    expect([answer.status, codeOf(answer)]).toEqual([201, undefined]);
    expect(draftQuote.encode(draftQuote.decode(answer.body as never))).toEqual(answer.body);
  });
});
