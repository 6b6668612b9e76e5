import { localRoles } from '@core/contracts/local';
import { partnerTermsOf } from '@core/policy';
import { rateBps } from '@core/pricing';
import type { Store } from '@core/store';
import { releaseDue } from '@core/store/testing';
import { recoverQuoteSigner } from '@core/vault';
import { quote } from '@core/wire';
import type { Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SpawnedApi, spawnApi } from '../testing/spawnApi.ts';
import { type Surroundings, startSurroundings } from '../testing/startSurroundings.ts';
import { codeOf, fieldOf, send, type TestAnswer, wallets } from '../testing/startTestApi.ts';

let surroundings: Surroundings;
let store: Store;
let environment: Surroundings['environment'];
const userOf = (api: SpawnedApi): Promise<string> => surroundings.userOf(api, wallets.alice);
const warmBody = (api: SpawnedApi): Promise<object> => surroundings.warmBody(api);

beforeAll(async () => {
  surroundings = await startSurroundings();
  ({ store, environment } = surroundings);
});
afterAll(() => surroundings.close());

const ask = (api: SpawnedApi, request: { authorization: string; body: object; key: string }): Promise<TestAnswer> =>
  send(`${api.url}/quotes`, {
    authorization: request.authorization,
    body: request.body,
    headers: { 'Idempotency-Key': request.key },
  });

/** Position keys that hold room now. */
async function liveKeys(nowMs: number): Promise<readonly string[]> {
  return releaseDue(store.usage, nowMs);
}

describe('the process is killed', () => {
  test('F26: after the quote is stored: the repeat gets its answer, and its room is released exactly once', async () => {
    const patient = { ...environment, QUOTE_WINDOW_SECONDS: '120' };
    const doomed = await spawnApi({ ...patient, FAILPOINT: 'after_reserve' });
    const body = await warmBody(doomed);
    const authorization = await userOf(doomed);
    const key = 'killed-after-reserve';
    await expect(ask(doomed, { authorization, body, key })).rejects.toThrow(TypeError);
    expect(await doomed.ended).toBe('SIGKILL');

    const api = await spawnApi(patient);
    // The answer was stored with the quote, so nothing has to be waited for and nothing is done twice.
    const answer = await ask(api, { authorization, body, key });
    expect([answer.status, codeOf(answer)]).toEqual([201, undefined]);
    expect(answer.headers.get('idempotent-replayed')).toBe('true');
    const wire = quote.encode(quote.parse(answer.body));
    const records = await store.quotes.byPositionKey(wire.on_chain_position_key);
    expect(records.map(({ id }) => id)).toEqual([wire.id]);
    const signer = await recoverQuoteSigner({
      digest: (records[0]?.digest ?? '0x') as Hex,
      signature: wire.contract_signature as Hex,
    });
    expect(signer).toBe(localRoles().quoteSigner.address);
    // Replayed from now on, byte for byte.
    expect((await ask(api, { authorization, body, key })).text).toBe(answer.text);

    const releasedMs = (Number(wire.signature_expiry) + 31) * 1_000;
    expect(await liveKeys(releasedMs - 2_000)).toEqual([]);
    expect(await liveKeys(releasedMs)).toEqual([wire.on_chain_position_key]);
    expect(await liveKeys(releasedMs)).toEqual([]);
    await api.stop();
  });

  test('F19: just before the answer leaves: the repeat gets the very same answer', async () => {
    const api = await spawnApi(environment);
    const body = await warmBody(api);
    const authorization = await userOf(api);
    const doomed = await spawnApi({ ...environment, FAILPOINT: 'before_answer' });
    const key = 'killed-before-answer';
    // This process dies with its first success. Until its feed is warm it refuses, and a refusal gives the key back.
    const codeOrDeath = (): Promise<unknown> =>
      ask(doomed, { authorization, body, key }).then(codeOf, (cause: unknown) =>
        cause instanceof TypeError ? 'died' : Promise.reject(cause),
      );
    await expect.poll(codeOrDeath, { timeout: 120_000, interval: 1_100 }).toBe('died');
    expect(await doomed.ended).toBe('SIGKILL');
    const answer = await ask(api, { authorization, body, key });
    expect(answer.headers.get('idempotent-replayed')).toBe('true');
    const wire = quote.encode(quote.parse(answer.body));
    expect(await store.quotes.byPositionKey(wire.on_chain_position_key)).toHaveLength(1);
    await api.stop();
  });
});

describe('the program', () => {
  test('SIGTERM ends it cleanly', async () => {
    const api = await spawnApi(environment);
    api.child.kill('SIGTERM');
    expect(await api.ended).toBe(0);
  });

  test('a failpoint is ignored outside tests', async () => {
    const api = await spawnApi({ ...environment, NODE_ENV: 'production', FAILPOINT: 'before_answer' });
    expect((await send(`${api.url}/contract-info`, {})).status).toBe(200);
    await api.stop();
  });

  test('a wrong environment is named and nothing starts', async () => {
    await expect(spawnApi({ ...environment, CHAIN_ID: 'x' })).rejects.toThrow(/ended/);
  });

  // A chain that is away is waited for, as every neighbour is.
  test('on another chain or without the vault nothing starts', async () => {
    await expect(spawnApi({ ...environment, CHAIN_ID: '1' })).rejects.toThrow(/ended: 1/);
    await expect(spawnApi({ ...environment, VAULT_ADDRESS: wallets.alice })).rejects.toThrow(/ended: 1/);
  });

  test("what the vault allows is the vault's own answer", async () => {
    const api = await spawnApi(environment);
    const rates = await send(`${api.url}/fee-rates`, { authorization: await userOf(api) });
    expect(fieldOf(rates.body, 'contract_max_origination_fee_bps')).toBe(500);
    await api.stop();
  });

  test("with a partner's fee above the vault's cap nothing starts, until the partner's terms are mended", async () => {
    const fees = { partnerOriginationFeeBps: rateBps(501n) };
    const terms = partnerTermsOf({ fees });
    const greedy = { name: 'greedy', environment: 'sandbox', terms, createdAtMs: Date.now() } as const;
    const { id } = await store.partners.create(greedy);
    await expect(spawnApi(environment)).rejects.toThrow(/ended: 1/);
    await store.partners.updateTerms(id, partnerTermsOf());
    const api = await spawnApi(environment);
    await api.stop();
  });
});
