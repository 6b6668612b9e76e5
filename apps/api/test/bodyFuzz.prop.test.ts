import { isDeepStrictEqual } from 'node:util';
import { errorTable } from '@core/errors';
import { codesOf, errorEnvelopeSchema, type RouteDefinition, routes } from '@core/wire';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fieldOf, startTestApi, type TestAnswer, type TestApi, wallets } from '../testing/startTestApi.ts';

let api: TestApi;
let user: string;
let solanaUser: string;

beforeAll(async () => {
  api = await startTestApi();
  user = await api.userOf(wallets.alice);
  solanaUser = await api.userOf(wallets.solana);
});
afterAll(() => api.close());

/** Requests per property: enough to find a slip on each run, short enough for every run. */
const numRuns = 150;

const bps = fc.oneof(
  fc.integer({ min: -4, max: 60 }).map((steps) => steps * 2_500),
  fc.integer(),
  fc.constantFrom(0, 20_000, 100_000, 2 ** 53, -1, 0.5, 1e300),
);
const pips = fc.oneof(
  fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }).map(String),
  fc.bigInt({ min: 0n, max: 20_000_000n }).map(String),
  fc.constantFrom('0', '1', '50000', '-1', '', '01', '1e5', '9'.repeat(30)),
);
const quoteBody = fc.record(
  {
    market_ticker: fc.constantFrom('btc-up', 'eth-up', 'unknown', '__proto__', ''),
    effective_side: fc.constantFrom('yes', 'no', 'maybe'),
    leverage_bps: bps,
    notional_amount_usd_pips: pips,
    slippage_bps: fc.oneof(fc.integer({ min: 100, max: 1_000 }), fc.integer()),
    provider: fc.constantFrom('venue', 'other'),
    allow_revision: fc.boolean(),
    allow_partial_fill: fc.boolean(),
    min_fill_bps: fc.oneof(
      fc.integer({ min: 3, max: 11 }).map((steps) => steps * 500),
      fc.integer(),
    ),
  },
  { requiredKeys: [] },
);
/** A body that is nearly right: most fields are valid, one may be anything. */
const nearlyRight = fc
  .tuple(quoteBody, fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue(), { maxKeys: 1 }))
  .map(([body, extra]) => ({
    market_ticker: 'btc-up',
    effective_side: 'yes',
    leverage_bps: 30_000,
    notional_amount_usd_pips: '1000000',
    slippage_bps: 500,
    ...body,
    ...extra,
  }));
/** A body that parses: it reaches the gates behind the schema. */
const parsable = fc.record({
  market_ticker: fc.constantFrom('btc-up', 'eth-up'),
  effective_side: fc.constantFrom('yes', 'no'),
  leverage_bps: fc.integer({ min: -2, max: 44 }).map((steps) => steps * 2_500),
  notional_amount_usd_pips: fc
    .oneof(fc.integer({ min: 0, max: 10_000_000 }), fc.integer({ min: 0, max: 2 ** 50 }))
    .map(String),
  slippage_bps: fc.integer({ min: 100, max: 1_000 }),
  allow_revision: fc.boolean(),
  allow_partial_fill: fc.boolean(),
});
const anyBody = fc.oneof(
  { weight: 6, arbitrary: parsable.map((body) => JSON.stringify(body)) },
  { weight: 6, arbitrary: nearlyRight.map((body) => JSON.stringify(body)) },
  { weight: 2, arbitrary: fc.jsonValue().map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
);

/** Return the fault of an answer by the route's own documentation; null without one. */
function faultOf(answer: TestAnswer, route: RouteDefinition): string | null {
  if (answer.status >= 500) return `status ${answer.status}`;
  if (answer.status < 300) {
    if (answer.status !== route.response.status) return `undocumented status ${answer.status}`;
    const { schema } = route.response;
    const echoed = schema.encode(schema.decode(answer.body));
    return isDeepStrictEqual(echoed, answer.body) ? null : 'the body has more or less than its schema';
  }
  const envelope = errorEnvelopeSchema.safeParse(answer.body);
  if (!envelope.success) return 'no error envelope';
  const { code, params } = envelope.data.error;
  if (!codesOf(route).includes(code)) return `undocumented code ${code}`;
  if (answer.status !== errorTable[code].status) return `${code} with status ${answer.status}`;
  const documented: Readonly<Record<string, string>> = errorTable[code].params;
  const required = Object.keys(documented).filter((key) => documented[key]?.endsWith('?') === false);
  const missing = required.filter((key) => params?.[key] === undefined);
  return missing.length === 0 ? null : `${code} without ${missing.join()}`;
}

describe.each([
  ['/quotes', routes.createQuote],
  ['/offers', routes.createQuote],
  ['/draft-quotes', routes.createDraftQuote],
  ['/draft-offers', routes.createDraftQuote],
  ['/fee-reports', routes.createFeeReport],
  ['/promoted-quotes/dro_1', routes.promoteDraftQuote],
  ['/promoted-offers/dro_1', routes.promoteDraftQuote],
] as const)('POST %s', (path, route) => {
  test('any body gets a documented answer', async () => {
    await fc.assert(
      fc.asyncProperty(anyBody, fc.boolean(), async (body, isSolana) => {
        const authorization = isSolana ? solanaUser : user;
        expect(faultOf(await api.call(path, { method: 'POST', authorization, body }), route)).toBeNull();
      }),
      { numRuns },
    );
  });
});

describe('POST /tokens', () => {
  test('any body gets a documented answer', async () => {
    const wallet = fc.oneof(
      fc.constantFrom(...Object.values(wallets)),
      fc.string({ maxLength: 60 }),
      fc.stringMatching(/^0x[0-9a-fA-F]{38,42}$/),
      fc.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{30,46}$/),
    );
    const body = fc.oneof(
      wallet.map((wallet_address) => JSON.stringify({ wallet_address })),
      anyBody,
    );
    await fc.assert(
      fc.asyncProperty(body, async (text) => {
        const answer = await api.call('/tokens', { method: 'POST', authorization: api.keyOf(), body: text });
        expect(faultOf(answer, routes.createToken)).toBeNull();
      }),
      { numRuns },
    );
  });
});

describe('queries and path parameters', () => {
  const queryNames = [
    'limit',
    'starting_after',
    'ending_before',
    'expand',
    'sort',
    'sort_by',
    'status',
    'state',
    'query',
  ];
  const value = fc.oneof(
    fc.constantFrom(
      '1',
      '25',
      '101',
      'prices',
      'total_count',
      'unwinds',
      'active',
      'open',
      'ticker_asc',
      'btc-up',
      'asc',
    ),
    fc.string({ unit: 'binary', maxLength: 12 }),
  );
  const query = fc
    .array(fc.tuple(fc.oneof(fc.constantFrom(...queryNames), fc.string({ maxLength: 6 })), value), { maxLength: 4 })
    .map((pairs) => pairs.map(([name, text]) => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`).join('&'));
  const segment = fc.oneof(
    fc.constantFrom('btc-up', 'search', 'event-of-btc-up', 'series-1', 'pos_1', '..', '.', '%zz', '%00', 'a/b'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }).map((text) => encodeURIComponent(text)),
  );

  test('any query of any GET gets a documented answer', async () => {
    const reads: ReadonlyArray<RouteDefinition> = Object.values(routes).filter(({ method }) => method === 'GET');
    const built = reads.filter(({ path }) => !path.includes('partial-closes') && !path.includes('unwinds'));
    // Only what is needed: a counterexample prints the whole schema otherwise.
    const addresses = built.map(({ path, auth }) => ({ path, auth }));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...addresses), segment, query, async ({ path, auth }, part, text) => {
        const authorization = auth === 'partner' ? api.keyOf() : user;
        const address = `${path.replace(/\{\w+\}/, part)}?${text}`;
        const answer = await api.call(address, { authorization });
        expect(answer.status).toBeLessThan(500);
        expect(answer.status < 300 || errorEnvelopeSchema.safeParse(answer.body).success).toBe(true);
        expect(fieldOf(answer.body, 'error', 'code')).not.toBe('unauthorized');
      }),
      { numRuns: numRuns * 2 },
    );
  });
});
