import { Writable } from 'node:stream';
import { lowerHex } from '@core/position';
import { samplePosition } from '@core/position/testing';
import { execute, openTestStore } from '@core/store/testing';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import * as fc from 'fast-check';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordGeneratedRun } from '../testing/generatedRun.ts';
import { type GeneratedRequest, type KnownValues, requestsOf } from '../testing/requestGenerator.ts';
import { roomyLimits } from '../testing/roomyLimits.ts';
import { fieldOf, send, startTestApi, type TestAnswer, type TestApi, wallets } from '../testing/startTestApi.ts';

/** `pnpm --filter @core/api test:generated` sends 100,000 and writes down what came of them. */
const requestCount = Number(process.env['GENERATED_REQUESTS'] ?? 2_500);
const isRecorded = process.env['GENERATED_RECORD'] === '1';
const seed = Number(process.env['GENERATED_SEED'] ?? 1);
const parallelCount = 16;
/** Making up requests blocks this process, service and database client included: a few at a time. */
const batchSize = 50;

let api: TestApi;
/** Neighbours of the service, as text. */
let surroundings = '';
let document: unknown;
/** Log lines of failed requests. */
const failures: string[] = [];
const sink = new Writable({
  write(chunk: Buffer, _encoding, done) {
    failures.push(chunk.toString());
    done();
  },
});
let knownValues: KnownValues;
const credentials = { user: '', partner: '' };
const schemas = new Ajv2020({ strict: false });
addFormats.default(schemas);
const validators = new Map<string, ValidateFunction>();

beforeAll(async () => {
  const testStore = await openTestStore();
  const [server] = await execute(testStore.database.databaseUrl, "SELECT split_part(version(), ' ', 2) AS version");
  const redis = process.env['TEST_REDIS_URL'] === undefined ? '' : ' with Redis';
  surroundings = `PostgreSQL ${String(server?.['version'])}${redis}`;
  const limits = roomyLimits(testStore.store.limits);
  api = await startTestApi({ store: testStore, limits, logger: pino({ level: 'error' }, sink) });
  credentials.user = await api.userOf(wallets.alice);
  credentials.partner = api.keyOf();
  const marketId = (await api.store.markets.byTicker('btc-up'))?.id ?? '';
  const partnerId = api.partners[0]?.record.id ?? '';
  for (const number of [1, 2, 3]) {
    await api.store.positions.put({
      position: samplePosition(number, { partnerId, walletAddress: lowerHex(wallets.alice), marketId }),
      transactions: [],
      unwinds: [],
      partialCloses: [],
      ledger: [],
    });
  }
  const body = {
    market_ticker: 'btc-up',
    effective_side: 'yes',
    leverage_bps: 20_000,
    notional_amount_usd_pips: '200000',
    slippage_bps: 500,
  };
  const draft = await api.call('/draft-quotes', { authorization: credentials.user, body });
  const positions = [1, 2, 3].map((number) => samplePosition(number).id);
  const tickers = ['btc-up', 'eth-up'];
  knownValues = {
    ticker: tickers,
    market_ticker: tickers,
    event_ticker: tickers.map((ticker) => `event-of-${ticker}`),
    series_ticker: ['series-1'],
    position_id: positions,
    starting_after: [...tickers, ...positions],
    ending_before: [...tickers, ...positions],
    draft_quote_id: [String(fieldOf(draft.body, 'id'))],
    draft_offer_id: [String(fieldOf(draft.body, 'id'))],
    leverage_bps: [20_000, 22_500, 30_000],
    notional_amount_usd_pips: ['60000', '200000', '1000000'],
    slippage_bps: [300, 1_000],
    query: ['btc', 'up', 'eth-up'],
    wallet_address: Object.values(wallets),
    status: ['open', 'active', 'closed', 'finalized', 'executed', 'planned', 'all'],
  };
  document = await (await fetch(`${api.api.origin}/openapi.json`)).json();
  schemas.addSchema(Object(document), 'document');
  // Compiling takes long enough to time out connections: all of it before the first request.
  for (const pointer of documentedAnswers()) validatorOf(pointer);
});
afterAll(() => api.close());

const otherCredential: Readonly<Record<string, 'user' | 'partner'>> = { userToken: 'partner', apiKey: 'user' };

function authorizationOf({ caller, security }: GeneratedRequest): string | undefined {
  const [scheme] = security;
  if (scheme === undefined || caller === 'none') return undefined;
  const isUser = scheme === 'userToken';
  if (caller === 'other') return credentials[otherCredential[scheme] ?? 'user'];
  return isUser ? credentials.user : credentials.partner;
}

function validatorOf(pointer: string): ValidateFunction {
  const validator = validators.get(pointer);
  if (validator !== undefined) return validator;
  const compiled = schemas.compile({ $ref: `document#${encodeURI(pointer)}` });
  validators.set(pointer, compiled);
  return compiled;
}

/** Return the fault of an answer by the document; null without one. */
function faultOf(request: GeneratedRequest, answer: TestAnswer): string | null {
  if (answer.status >= 500) return `status ${answer.status}`;
  for (const header of ['request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']) {
    if (answer.headers.get(header) === null) return `no ${header}`;
  }
  if (answer.headers.get('content-type')?.startsWith('application/json') !== true) return 'no JSON';
  // A path that a generated segment has turned into another one, such as `/markets/..`.
  const operation = fieldOf(document, ...pointerParts(request.pointer));
  const isOther = fieldOf(answer.body, 'error', 'code') === 'not_found';
  const response = fieldOf(operation, 'responses', String(answer.status));
  if (response === undefined) return isOther ? null : `undocumented status ${answer.status}`;
  const validate = validatorOf(schemaPlaceOf(response, `${request.pointer}/responses/${answer.status}`));
  if (validate(answer.body)) return null;
  return isOther ? null : `${answer.status}: ${schemas.errorsText(validate.errors)}`;
}

/** Return the pointer of a response's schema, its own or that of its component. */
function schemaPlaceOf(response: unknown, pointer: string): string {
  const reference = fieldOf(response, '$ref');
  return `${typeof reference === 'string' ? reference.slice(1) : pointer}/content/application~1json/schema`;
}

function documentedAnswers(): readonly string[] {
  const paths = Object.entries(Object(fieldOf(document, 'paths')));
  return paths.flatMap(([path, item]) =>
    Object.entries(Object(item)).flatMap(([method, operation]) =>
      Object.entries(Object(fieldOf(operation, 'responses'))).map(([status, response]) =>
        schemaPlaceOf(response, `/paths/${path.replaceAll('/', '~1')}/${method}/responses/${status}`),
      ),
    ),
  );
}

const pointerParts = (pointer: string): readonly string[] =>
  pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/'));

async function sendOne(request: GeneratedRequest): Promise<{ status: number; fault: string | null }> {
  const authorization = authorizationOf(request);
  const ask = (): Promise<TestAnswer> =>
    send(`${api.api.origin}${request.path}`, {
      method: request.method,
      ...(authorization !== undefined && { authorization }),
      ...(request.body !== null && { body: request.body }),
      ...(request.idempotencyKey !== null && { headers: { 'Idempotency-Key': request.idempotencyKey } }),
    });
  // A connection that lay idle while requests were made up may have been closed; what a request itself causes comes
  // again.
  const answer = await ask().catch(ask);
  return { status: answer.status, fault: faultOf(request, answer) };
}

test(`F25: ${requestCount} requests generated from the served document: no 5xx, every answer fits its schema`, async () => {
  const requests = requestsOf(document, knownValues);
  const statusesOf = new Map<string, Set<number>>();
  const answersByStatus = new Map<number, number>();
  let sentCount = 0;
  for (let batch = 0; sentCount < requestCount; batch += 1) {
    const size = Math.min(batchSize, requestCount - sentCount);
    const generated = fc.sample(requests, { numRuns: size, seed: seed + batch });
    sentCount += size;
    const queue = generated.values();
    const faults: unknown[] = [];
    const worker = async (): Promise<void> => {
      for (const request of queue) {
        const { status, fault } = await sendOne(request);
        statusesOf.set(request.operationId, (statusesOf.get(request.operationId) ?? new Set()).add(status));
        answersByStatus.set(status, (answersByStatus.get(status) ?? 0) + 1);
        if (fault !== null) faults.push({ fault, request });
      }
    };
    await Promise.all(Array.from({ length: parallelCount }, worker));
    expect([faults, failures]).toEqual([[], []]);
  }
  // Each operation was answered well and was refused: nothing hides behind a first refusal.
  const operationIds = [...JSON.stringify(document).matchAll(/"operationId":"(\w+)"/g)].map(([, id = '']) => id);
  const unanswered = operationIds.filter((id) => ![200, 201, 202].some((status) => statusesOf.get(id)?.has(status)));
  expect(unanswered).toEqual([]);
  expect(operationIds.filter((id) => !statusesOf.get(id)?.has(401) && id !== 'getContractInfo')).toEqual([]);
  if (isRecorded) {
    recordGeneratedRun({ on: surroundings, seed, operationCount: operationIds.length, answersByStatus }, new Date());
  }
});
