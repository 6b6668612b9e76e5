import { type SpawnedApi, type Surroundings, spawnApi, startSurroundings } from '@core/api/testing';
import { concat, encodePacked, keccak256, toHex, zeroAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  InvalidRequestError,
  isCode,
  Lev,
  type LevUser,
  type Market,
  type Quote,
  routes,
  type SentRequest,
  verifyQuote,
} from '../src/index.ts';

const alice = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const carol = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';

let around: Surroundings;
let api: SpawnedApi;
let lev: Lev;
let me: LevUser;
const requests: SentRequest[] = [];

beforeAll(async () => {
  around = await startSurroundings();
  api = await spawnApi(around.environment);
  const { apiKey } = await around.createPartner('sdk');
  lev = new Lev({ baseUrl: api.url, apiKey, onRequest: (request) => requests.push(request) });
  me = lev.asUser(() => lev.tokens.create({ wallet_address: alice }));
  await around.warmBody(api);
});

/** Return a value one unit away, in its own form. */
function oneUnitAway(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value !== 'string') throw new Error(`no unit of ${String(value)}`);
  if (/^-?\d+$/.test(value)) return String(BigInt(value) + 1n);
  if (/^-?\d+\.\d{2,4}$/.test(value)) return value.endsWith('1') ? `${value.slice(0, -1)}2` : `${value.slice(0, -1)}1`;
  if (value.startsWith('0x')) return `${value.slice(0, -1)}${value.endsWith('0') ? '1' : '0'}`;
  return new Date(Date.parse(value) + 1_000).toISOString();
}

afterAll(async () => {
  await api?.stop();
  await around?.close();
});

async function acceptingMarket(): Promise<{ readonly market: Market; readonly side: 'yes' | 'no' }> {
  return vi.waitFor(
    async () => {
      const { data } = await me.markets.list({ accepting_new_positions: true, expand: ['prices'] }).firstPage();
      const market = data[0];
      if (market === undefined) throw new Error('no market accepts positions yet');
      return { market, side: market.sided_eligibility.yes.accepting_new_positions ? 'yes' : 'no' };
    },
    { timeout: 120_000, interval: 500 },
  );
}

test('a list is read page by page, from any cursor', async () => {
  const all = await Array.fromAsync(me.markets.list({ limit: 2 }));
  expect(all.length).toBeGreaterThan(3);
  expect(new Set(all.map(({ ticker }) => ticker)).size).toBe(all.length);
  const second = all[1]?.ticker ?? '';
  const tickersOf = (markets: readonly Market[]): readonly string[] => markets.map(({ ticker }) => ticker);
  const later = await Array.fromAsync(me.markets.list({ limit: 2 }).from(second));
  expect(tickersOf(later)).toEqual(tickersOf(all.slice(2)));
  const first = await me.markets.list({ limit: 2, expand: ['total_count'] }).firstPage();
  expect(first).toMatchObject({ has_more: true, total_count: all.length });
  expect(tickersOf(first.data)).toEqual(tickersOf(all.slice(0, 2)));
});

test('actions on chain request contract info once a minute, an explicit call always does', async () => {
  const user = lev.asUser(() => lev.tokens.create({ wallet_address: carol }));
  const requestCount = () => requests.filter(({ url }) => url.endsWith(routes.getContractInfo.path)).length;
  requests.length = 0;
  for (let look = 0; look < 3; look += 1) {
    const none = user.positions.debt(`0x${'1'.repeat(64)}`, around.environment['RPC_URL'] ?? '');
    await expect(none).rejects.toMatchObject({ code: 'position_not_found' });
  }
  expect(requestCount()).toBe(1);
  await user.contractInfo();
  expect(requestCount()).toBe(2);
});

test("a draft and its promotion obey the service's pace by themselves", async () => {
  const { market, side } = await acceptingMarket();
  requests.length = 0;
  const order = { ticker: market.ticker, side, leverage: '2', notionalUsd: '20', allowRevision: true } as const;
  const draft = await me.quotes.draft(order);
  const [one, other] = await Promise.all([me.quotes.promote(draft), me.quotes.promote(draft)]);
  expect(one.on_chain_position_key).toBe(other.on_chain_position_key);
  expect(one.transaction?.to).toBe(one.venue_vault_contract_address);
  // No call was refused and repeated.
  expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(3);
});

test('the response to a draft says that the next call has to wait, and how long', async () => {
  const { market, side } = await acceptingMarket();
  const answers: Headers[] = [];
  const watching = new Lev({
    baseUrl: api.url,
    surroundings: {
      fetch: async (...request) => {
        const response = await fetch(...request);
        answers.push(response.headers);
        return response;
      },
    },
  });
  const { token } = await lev.tokens.create({ wallet_address: carol });
  const user = watching.asUser(token);
  await user.quotes.promote(
    await user.quotes.draft({ ticker: market.ticker, side, leverage: '2', notionalUsd: '20', allowRevision: true }),
  );
  const limitOf = (headers: Headers): readonly (string | null)[] =>
    ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`));
  expect(answers.map(limitOf)).toEqual([
    ['1', '0', '1'],
    ['1', '0', '1'],
  ]);
});

test('a refusal is a typed error with the request that would pass', async () => {
  const { market, side } = await acceptingMarket();
  const order = { ticker: market.ticker, side, leverage: '2', notionalUsd: '0.01' } as const;
  const error: unknown = await me.quotes.draft(order).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(InvalidRequestError);
  if (!isCode(error, 'quote_notional_below_minimum')) throw error;
  expect(error.retryable).toBe(false);
  expect(error.requestId).toMatch(/^req_/);
  expect(error.suggested).toMatchObject({ notional_amount_usd_pips: error.params.min_notional_usd_pips });
});

test('a number is refused as money', async () => {
  const wrong = { ticker: 't', side: 'yes', leverage: '2', notionalUsd: 250 as never } as const;
  await expect(me.quotes.draft(wrong)).rejects.toMatchObject({
    code: 'invalid_input',
    field: 'notionalUsd',
    value: 250,
  });
});

/** Signed values; the fourteenth is the constant tag. */
const signedFields = [
  'position_seed_hex',
  'authority_public_key',
  'venue_market_id',
  'venue_token_id',
  'collateral_usdc_units',
  'leverage_bps',
  'notional_usdc_units',
  'origination_fee_bps',
  'lifetime_fee_apr_bps',
  'liquidation_fee_bps',
  'signature_expiry',
  'evm_chain_id',
  'venue_vault_contract_address',
] as const;
/** Fields of a quote that are echoed without a figure. */
const echoes = new Set(['id', 'market_ticker', 'effective_side', 'provider', 'allow_partial_fill', 'min_fill_bps']);

test.each([false, true])('verifyQuote: names a figure changed by one unit, partial fill %s', async (isPartial) => {
  const { market, side } = await acceptingMarket();
  const order = { ticker: market.ticker, side, leverage: '2.25', notionalUsd: '25', allowRevision: true } as const;
  const quote = await me.quotes.create({ ...order, allowPartialFill: isPartial });
  const expectation = {
    account: alice,
    contractInfo: await lev.contractInfo(),
    feeRates: await me.feeRates({ ticker: market.ticker }),
    slippageBps: 500,
  };
  expect(await verifyQuote(quote, expectation)).toMatchObject({ verified: true, unchecked: [] });
  const checked = await verifyQuote(quote, { ...expectation, market: await me.markets.get(market.ticker) });
  expect(checked.verified).toBe(true);

  const { max_gain: gain, transaction, basis, ...figures } = quote;
  const names = Object.keys(figures).filter((name) => !echoes.has(name));
  expect(names).toEqual(expect.arrayContaining([...signedFields]));
  for (const name of names) {
    const changed = { ...quote, [name]: oneUnitAway(Reflect.get(quote, name)) };
    expect(await verifyQuote(changed, expectation)).toMatchObject({ verified: false, field: name });
  }
  for (const name of Object.keys(gain ?? {})) {
    const changed = { ...quote, max_gain: { ...gain, [name]: oneUnitAway(Reflect.get(gain ?? {}, name)) } };
    const check = await verifyQuote(changed as Quote, expectation);
    expect(check).toMatchObject({ verified: false, field: `max_gain.${name}` });
  }
  for (const name of ['to', 'data', 'value', 'chain_id']) {
    const changed = {
      ...quote,
      transaction: { ...transaction, [name]: oneUnitAway(Reflect.get(transaction ?? {}, name)) },
    };
    const check = await verifyQuote(changed as Quote, expectation);
    expect(check).toMatchObject({ verified: false, field: `transaction.${name}` });
  }
  const slippage = { ...quote, basis: { ...basis, slippage_bps: 501 } };
  expect(await verifyQuote(slippage as Quote, expectation)).toMatchObject({ field: 'basis.slippage_bps' });
  const { basis: _basis, ...withoutBasis } = quote;
  const check = await verifyQuote(withoutBasis, expectation);
  expect(check).toMatchObject({ verified: true, unchecked: expect.arrayContaining(['max_gain']) });
});

test('verifyQuote: refuses another signer and another tag by the signature', async () => {
  const { market, side } = await acceptingMarket();
  const quote = await me.quotes.create({ ticker: market.ticker, side, leverage: '2', notionalUsd: '20' });
  const contractInfo = await lev.contractInfo();
  const stranger = { ...contractInfo, polygon_signer_address: zeroAddress };
  expect(await verifyQuote(quote, { account: alice, contractInfo: stranger })).toMatchObject({
    verified: false,
    field: 'contract_signature',
  });
  const key = generatePrivateKey();
  // The same thirteen values under another tag.
  const types = [
    ...(['bytes16', 'address', 'bytes32', 'uint256', 'uint256', 'uint32', 'uint256'] as const),
    ...(['uint16', 'uint16', 'uint16', 'uint256', 'uint256', 'address'] as const),
  ];
  const values = types.map((type, index) => encodePacked([type], [Reflect.get(quote, signedFields[index] ?? '')]));
  const digest = keccak256(concat([toHex('CLOSE_POSITION'), ...values]));
  const signature = await privateKeyToAccount(key).signMessage({ message: { raw: digest } });
  const check = await verifyQuote(
    { ...quote, contract_signature: signature },
    { account: alice, contractInfo: { ...contractInfo, polygon_signer_address: privateKeyToAddress(key) } },
  );
  expect(check).toMatchObject({ verified: false, field: 'contract_signature' });
});
