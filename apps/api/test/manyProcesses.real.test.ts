import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { get, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { partnerTermsOf } from '@core/policy';
import { usdPips } from '@core/pricing';
import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SpawnedApi, spawnApi } from '../testing/spawnApi.ts';
import { type Surroundings, startSurroundings } from '../testing/startSurroundings.ts';
import { codeOf, fieldOf, send, type TestAnswer, wallets } from '../testing/startTestApi.ts';

let surroundings: Surroundings;
let apis: readonly SpawnedApi[] = [];
let body: Record<string, unknown>;
const countsInRedis = process.env['TEST_REDIS_URL'] !== undefined;

beforeAll(async () => {
  surroundings = await startSurroundings();
  const { environment } = surroundings;
  apis = await Promise.all([spawnApi(environment), spawnApi(environment)]);
  body = await surroundings.warmBody(...apis);
});
afterAll(async () => {
  await Promise.all(apis.map((api) => api.stop()));
  await surroundings.close();
});

/** One of the two processes, in alternation. */
function apiOf(index: number): SpawnedApi {
  const api = apis[index % apis.length];
  if (api === undefined) throw new Error('no process runs');
  return api;
}

/** The same request to both processes at once, so often in all. */
function callBoth(count: number, path: string, request: Parameters<typeof send>[1]): Promise<readonly TestAnswer[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => send(`${apiOf(index).url}${path}`, request)));
}

const statusesOf = (answers: readonly TestAnswer[], status: number): readonly TestAnswer[] =>
  answers.filter((answer) => answer.status === status);
const walletOf = (number: number): string => privateKeyToAddress(`0x${number.toString(16).padStart(64, '0')}`);

/** A request from an address of its own: who has used one up is refused there before a new credential is verified. */
async function strangerStatus(url: string, headers: OutgoingHttpHeaders): Promise<number | undefined> {
  const request = get(url, { headers, localAddress: '127.0.0.9' });
  const [response]: IncomingMessage[] = await once(request, 'response');
  response?.resume();
  return response?.statusCode;
}

describe('F23: limits hold exactly over two processes', () => {
  test('30 of 200 strangers pass, whatever X-Forwarded-For says', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        strangerStatus(`${apiOf(index).url}/contract-info`, { 'X-Forwarded-For': `10.1.0.${index}` }),
      ),
    );
    expect([200, 429].map((wanted) => statuses.filter((status) => status === wanted).length)).toEqual([30, 170]);
  });

  test('120 of 200 requests of one partner pass, 60 of 200 of one wallet', async () => {
    const { apiKey } = await surroundings.createPartner('limited');
    const partner = await callBoth(200, '/partner-limits', { authorization: `Api-Key ${apiKey}` });
    expect([statusesOf(partner, 200).length, statusesOf(partner, 429).length]).toEqual([120, 80]);
    const authorization = await surroundings.userOf(apiOf(0), walletOf(1));
    const wallet = await callBoth(200, '/user-limits', { authorization });
    expect([statusesOf(wallet, 200).length, statusesOf(wallet, 429).length]).toEqual([60, 140]);
  });
});

test('F19: of 20 requests with one key one runs, and all that succeed say the same', async () => {
  const authorization = await surroundings.userOf(apiOf(0), walletOf(2));
  const request = { authorization, body, headers: { 'Idempotency-Key': 'over-two-processes' } };
  const answers = await callBoth(20, '/quotes', request);
  const created = statusesOf(answers, 201);
  // Who comes while the statement runs waits for it; only a key that is held elsewhere is in progress. Where Redis
  // counts, a request that finds the key still free may find the bucket of one quote a second empty.
  const expectedCodes = [undefined, 'request_already_in_progress', ...(countsInRedis ? ['too_many_requests'] : [])];
  expect(expectedCodes).toEqual(expect.arrayContaining([...new Set(answers.map(codeOf))]));
  expect(new Set(created.map(({ text }) => text)).size).toBe(1);
  const again = await callBoth(4, '/quotes', request);
  expect(new Set([...created, ...again].map(({ text }) => text)).size).toBe(1);
});

test('no number of quotes over two processes passes a cap', async () => {
  const limits = { partnerNotionalUsdPips: usdPips(1_000_000n) };
  const { record, apiKey } = await surroundings.createPartner('capped', partnerTermsOf({ limits }));
  const users = await Promise.all(
    Array.from({ length: 20 }, (_, index) => surroundings.userOf(apiOf(index), walletOf(100 + index), apiKey)),
  );
  // Prices grow old where the machine stalls: such a request is repeated, as its code says.
  const lastAnswer = async (authorization: string, index: number): Promise<TestAnswer> => {
    for (;;) {
      const answer = await send(`${apiOf(index).url}/quotes`, { authorization, body });
      if (!/_stale$|^too_many_requests$/.test(String(codeOf(answer) ?? ''))) return answer;
      await delay(200);
    }
  };
  const answers = await Promise.all(users.map(lastAnswer));
  const granted = statusesOf(answers, 201);
  const reservedUsdPips = granted.reduce(
    (sum, { body: wire }) => sum + BigInt(String(fieldOf(wire, 'notional_amount_usd_pips'))),
    0n,
  );
  const refusals = answers.filter(({ status }) => status !== 201).map(codeOf);
  expect(refusals.length).toBeGreaterThan(0);
  expect(new Set(refusals)).toEqual(new Set(['quote_partner_position_limit_exceeded']));
  expect(reservedUsdPips).toBeLessThanOrEqual(1_000_000n);
  expect(reservedUsdPips).toBeGreaterThan(800_000n);
  const scope = { partnerId: record.id, walletAddress: '', marketId: null, clusterKey: null };
  expect((await surroundings.store.usage.read(scope)).partner.inFlightNotionalUsdPips).toBe(usdPips(reservedUsdPips));
});

describe('what changes acts in every process', () => {
  const fromBoth = async (path: string, authorization: string): Promise<readonly TestAnswer[]> =>
    Promise.all(apis.map((api) => send(`${api.url}${path}`, { authorization })));

  test("a partner's terms", async () => {
    const { record, apiKey } = await surroundings.createPartner('changing');
    const limitsOf = async (): Promise<readonly unknown[]> =>
      (await fromBoth('/partner-limits', `Api-Key ${apiKey}`)).map((answer) => fieldOf(answer.body, 'limit_usd'));
    expect(await limitsOf()).toEqual(['1000000.00', '1000000.00']);
    const limits = { partnerNotionalUsdPips: usdPips(70_000n) };
    await surroundings.store.partners.updateTerms(record.id, partnerTermsOf({ limits }));
    await expect.poll(limitsOf, { interval: 200 }).toEqual(['7.00', '7.00']);
  });

  test('a revoked key', async () => {
    const { apiKey, apiKeyId } = await surroundings.createPartner('revoked');
    const statuses = async (): Promise<readonly number[]> =>
      (await fromBoth('/partner-limits', `Api-Key ${apiKey}`)).map(({ status }) => status);
    expect(await statuses()).toEqual([200, 200]);
    await surroundings.store.apiKeys.revoke(apiKeyId, Date.now());
    // 401, or 429 where strangers of this address have used up their minute.
    const areAccepted = async () => (await statuses()).map((status) => status === 200);
    await expect.poll(areAccepted, { interval: 200 }).toEqual([false, false]);
  });

  test('a market that an operator disables and enables again', async () => {
    const { apiKey } = await surroundings.createPartner('watching');
    const path = `/markets/${String(body['market_ticker'])}`;
    const reasons = async (): Promise<readonly unknown[]> =>
      (await fromBoth(path, `Api-Key ${apiKey}`)).map((answer) => fieldOf(answer.body, 'rejection_reason_code'));
    const operate = (...words: readonly string[]) => runOperate(surroundings.databaseUrl, words);
    expect(await operate('markets', 'disable', String(body['market_ticker']))).toMatchObject({
      disabled_reason: 'force_disabled',
    });
    await expect
      .poll(reasons, { interval: 500 })
      .toEqual(['RISK_ENGINE_MARKET_DISABLED', 'RISK_ENGINE_MARKET_DISABLED']);
    const authorization = await surroundings.userOf(apiOf(0), walletOf(3));
    const refusal = await send(`${apiOf(1).url}/draft-quotes`, { authorization, body });
    expect(fieldOf(refusal.body, 'error')).toMatchObject({
      code: 'risk_engine_market_disabled',
      params: { reason: 'force_disabled' },
    });
    await operate('markets', 'enable', String(body['market_ticker']));
    await expect.poll(reasons, { interval: 500 }).toEqual([null, null]);
  });

  test('a signing key: the tokens of before stay valid, those of after verify everywhere', async () => {
    const before = await surroundings.userOf(apiOf(0), wallets.alice);
    const kidsOf = async (): Promise<readonly unknown[]> => {
      const sets = await Promise.all(apis.map((api) => send(new URL('/.well-known/jwks.json', api.url).href, {})));
      return sets.map((answer) => fieldOf(answer.body, 'keys', 'length'));
    };
    expect(await kidsOf()).toEqual([1, 1]);
    const rotated = await runOperate(surroundings.databaseUrl, ['token-keys', 'rotate', surroundings.tokenKeysFile]);
    await expect.poll(kidsOf, { interval: 200 }).toEqual([2, 2]);
    const [newest] = fieldOf(rotated, 'kids') as readonly string[];
    const kidOf = (authorization: string): unknown =>
      JSON.parse(Buffer.from(authorization.slice('Bearer '.length).split('.')[0] ?? '', 'base64url').toString()).kid;
    let after = '';
    await expect
      .poll(async () => kidOf((after = await surroundings.userOf(apiOf(1), wallets.bob))), { interval: 500 })
      .toBe(newest);
    expect(kidOf(before)).not.toBe(newest);
    for (const authorization of [before, after]) {
      expect((await fromBoth('/user-limits', authorization)).map(({ status }) => status)).toEqual([200, 200]);
    }
    await runOperate(surroundings.databaseUrl, ['token-keys', 'retire', surroundings.tokenKeysFile]);
    const areAccepted = async (authorization: string): Promise<readonly boolean[]> =>
      (await fromBoth('/user-limits', authorization)).map(({ status }) => status === 200);
    await expect.poll(() => areAccepted(before), { interval: 500 }).toEqual([false, false]);
    expect(await areAccepted(after)).toEqual([true, true]);
  });
});

const operatePath = fileURLToPath(new URL('../src/operate/main.ts', import.meta.url));

/** The command as an operator runs it; what it prints. */
async function runOperate(databaseUrl: string, words: readonly string[]): Promise<unknown> {
  const env = { PATH: process.env['PATH'], DATABASE_URL: databaseUrl };
  const { stdout } = await promisify(execFile)(process.execPath, [operatePath, ...words], { env });
  return JSON.parse(stdout);
}
