import { Fault } from '@core/errors';
import { partnerTermsOf } from '@core/policy';
import { usdcUnits, usdPips } from '@core/pricing';
import type { LimitStore } from '@core/store';
import { createTestDatabase, type TestDatabase } from '@core/store/testing';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { quoteBody } from '../testing/quoteBody.ts';
import { codeOf, fieldOf, startTestApi, type TestApi, type TestApiOptions, wallets } from '../testing/startTestApi.ts';
import { unlimited } from '../testing/unlimited.ts';

let api: TestApi | null = null;
// Held open so that the database server outlives the single tests.
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
afterEach(async () => {
  await api?.close();
  api = null;
});

const body = { ...quoteBody, notional_amount_usd_pips: '2000000' };

async function startWith(options: TestApiOptions): Promise<{ api: TestApi; user: string }> {
  const service = await startTestApi(options);
  api = service;
  return { api: service, user: await service.userOf(wallets.alice) };
}

test.each(['nonsense', '', '0xF39Fd6e51aad88F6F4ce6aB8827279cffFb92266', '1'.repeat(201)])(
  'a token for the wallet "%s" is refused',
  async (wallet) => {
    const service = await startWith({});
    const answer = await service.api.call('/tokens', {
      authorization: service.api.keyOf(),
      body: { wallet_address: wallet },
    });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'customer_auth_invalid_wallet_address']);
  },
);

test.each([
  ['passes', 503, new Fault({ origin: 'store', kind: 'retryable', message: 'SELECT failed on pool' })],
  ['does not pass', 500, new Error('SELECT failed on pool')],
] as const)('a failure that %s is an internal error with %i that reveals nothing', async (_kind, status, failure) => {
  let isDown = false;
  const limits: LimitStore = {
    ...unlimited,
    consume: (bucket, subject) => (isDown ? Promise.reject(failure) : unlimited.consume(bucket, subject)),
  };
  const service = await startWith({ limits });
  isDown = true;
  const answer = await service.api.call('/positions', { authorization: service.user });
  expect([answer.status, codeOf(answer)]).toEqual([status, 'internal_server_error']);
  expect(answer.headers.get('retry-after')).toBe(status === 503 ? '1' : null);
  expect(fieldOf(answer.body, 'error', 'type')).toBe('API_ERROR');
  expect(answer.text).not.toMatch(/pool|postgres|stack|select/i);
  expect(answer.headers.get('request-id')).toMatch(/^req_/);
});

const small = usdPips(1_000_000n);
const smallUnits = usdcUnits(50_000_000n);
test.each([
  [{ userNotionalUsdPips: small }, 'quote_user_position_limit_exceeded'],
  [{ marketNotionalUsdPips: small }, 'quote_market_position_limit_exceeded'],
  [{ sideNotionalUsdPips: small }, 'quote_side_position_limit_exceeded'],
  [{ globalNotionalUsdPips: small }, 'quote_global_position_limit_exceeded'],
  [{ partnerNotionalUsdPips: small }, 'quote_partner_position_limit_exceeded'],
  [{ userBorrowUsdcUnits: smallUnits }, 'quote_user_capital_exceeded'],
  [{ marketBorrowUsdcUnits: smallUnits }, 'quote_market_capital_exceeded'],
  [{ sideBorrowUsdcUnits: smallUnits }, 'quote_side_capital_exceeded'],
  [{ totalBorrowUsdcUnits: smallUnits }, 'quote_total_capital_exceeded'],
])('%o refuses with %s, and what it says is available is accepted', async (limits, code) => {
  const service = await startWith({ terms: partnerTermsOf({ limits }) });
  const { user: authorization } = service;
  const refusal = await service.api.call('/quotes', { authorization, body });
  expect(codeOf(refusal)).toBe(code);
  // A draft reserves nothing, so no limit refuses it.
  expect((await service.api.call('/draft-quotes', { authorization, body })).status).toBe(201);
  const params = fieldOf(refusal.body, 'error', 'params');
  const units = fieldOf(params, 'available_notional_usdc_units');
  const pips =
    units === undefined ? String(fieldOf(params, 'available_capacity_usd_pips')) : String(BigInt(String(units)) / 100n);
  const accepted = await service.api.call('/quotes', {
    authorization,
    body: { ...body, notional_amount_usd_pips: pips },
  });
  expect([accepted.status, codeOf(accepted)]).toEqual([201, undefined]);
});

test('refuses with the total cap while the pool cannot lend', async () => {
  const service = await startWith({});
  const { reading } = service.api.pool;
  if (reading !== null) service.api.pool.reading = { ...reading, freeLiquidityUsdcUnits: usdcUnits(10_000_000n) };
  const answer = await service.api.call('/quotes', { authorization: service.user, body });
  expect(codeOf(answer)).toBe('quote_total_capital_exceeded');
});

test('switches refuse before any gate of the market', async () => {
  const off = { isQuoteCreationEnabled: false, isPartialOpenEnabled: true };
  const service = await startWith({ config: { switches: off } });
  const unknown = { ...body, market_ticker: 'unknown' };
  for (const path of ['/quotes', '/draft-quotes']) {
    for (const request of [body, unknown]) {
      const answer = await service.api.call(path, { authorization: service.user, body: request });
      expect([answer.status, codeOf(answer)]).toEqual([503, 'quote_creation_disabled']);
    }
  }
});

test('partial-open can be switched off alone', async () => {
  const off = { isQuoteCreationEnabled: true, isPartialOpenEnabled: false };
  const service = await startWith({ config: { switches: off } });
  const { user: authorization } = service;
  expect((await service.api.call('/quotes', { authorization, body })).status).toBe(201);
  const partial = await service.api.call('/quotes', { authorization, body: { ...body, allow_partial_fill: true } });
  expect(codeOf(partial)).toBe('quote_creation_disabled');
});
