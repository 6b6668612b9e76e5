import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deployLocal, type LocalChain, localRoles, startLocalChain } from '@core/contracts/local';
import { partnerTermsOf } from '@core/policy';
import { rateBps } from '@core/pricing';
import { openStore, type Store } from '@core/store';
import { createTestDatabase, type TestDatabase } from '@core/store/testing';
import { recoverQuoteSigner } from '@core/vault';
import { HttpVenueClient } from '@core/venue';
import { startVenueSim, type VenueSim } from '@core/venue-sim';
import { quote } from '@core/wire';
import { exportJWK, generateKeyPair } from 'jose';
import type { Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listedMarketOf } from '../testing/sampleVenueMarket.ts';
import { type SpawnedApi, spawnApi } from '../testing/spawnApi.ts';
import { codeOf, fieldOf, send, type TestAnswer, wallets } from '../testing/startTestApi.ts';

let database: TestDatabase;
let store: Store;
let sim: VenueSim;
let chain: LocalChain;
let folder: string;
let apiKey: string;
let environment: Record<string, string>;

beforeAll(async () => {
  [database, sim, chain] = await Promise.all([createTestDatabase(), startVenueSim({}), startLocalChain({})]);
  const { chainId, contracts } = await deployLocal({ rpcUrl: chain.rpcUrl });
  store = openStore({ databaseUrl: database.databaseUrl });
  folder = await mkdtemp(path.join(tmpdir(), 'api-test-'));
  const { privateKey } = await generateKeyPair('EdDSA', { extractable: true });
  const tokenKeys = { keys: [{ ...(await exportJWK(privateKey)), kid: 'test' }] };
  await writeFile(path.join(folder, 'signer.key'), localRoles().quoteSigner.privateKey);
  await writeFile(path.join(folder, 'tokens.json'), JSON.stringify(tokenKeys));
  const nowMs = Date.now();
  const { markets } = await new HttpVenueClient({ url: sim.url }).cataloguePage({ limit: 100 });
  await store.markets.sync(markets.filter(({ category }) => category === 'crypto').map(listedMarketOf), nowMs);
  const tokenIds = (await store.markets.all()).flatMap(({ yesTokenId, noTokenId }) => [yesTokenId, noTokenId]);
  await store.markets.recordOutcomes(
    tokenIds.map((tokenId, index) => ({ tokenId, outcomeId: index + 1 })),
    nowMs,
  );
  await store.heartbeats.beat({ name: 'keeper', nowMs: nowMs + 3_600_000, succeeded: true });
  const terms = partnerTermsOf();
  const partner = await store.partners.create({ name: 'first', environment: 'sandbox', terms, createdAtMs: nowMs });
  const issued = await store.apiKeys.issue({ partnerId: partner.id, environment: 'sandbox', nowMs });
  if (issued.kind !== 'issued') throw new Error('no key was issued');
  apiKey = issued.secret;
  environment = {
    PORT: '0',
    DATABASE_URL: database.databaseUrl,
    RPC_URL: chain.rpcUrl,
    CHAIN_ID: String(chainId),
    VAULT_ADDRESS: contracts.vault,
    POOL_ADDRESS: contracts.pool,
    USDC_ADDRESS: contracts.usdc,
    VENUE_URL: sim.url,
    VENUE_MARKET_SOCKET_URL: `${sim.wsUrl}/ws/market`,
    CLOCK_URL: sim.url,
    QUOTE_SIGNER_KEY_FILE: path.join(folder, 'signer.key'),
    TOKEN_KEYS_FILE: path.join(folder, 'tokens.json'),
  };
});
afterAll(async () => {
  await store.close();
  await Promise.all([database.close(), sim.close(), chain.close(), rm(folder, { recursive: true })]);
});

async function userOf(api: SpawnedApi): Promise<string> {
  const authorization = `Api-Key ${apiKey}`;
  const answer = await send(`${api.url}/tokens`, { authorization, body: { wallet_address: wallets.alice } });
  return `Bearer ${String(fieldOf(answer.body, 'token'))}`;
}

/** Asks for drafts until the feed is warm; gives the body that was accepted. */
async function warmBody(api: SpawnedApi): Promise<object> {
  const authorization = `Api-Key ${apiKey}`;
  let accepting: unknown = null;
  await expect
    .poll(
      async () => {
        const answer = await send(`${api.url}/markets?accepting_new_positions=true&limit=1`, { authorization });
        accepting = fieldOf(answer.body, 'data', '0');
        return typeof accepting;
      },
      { interval: 250 },
    )
    .toBe('object');
  const side = fieldOf(accepting, 'sided_eligibility', 'yes', 'accepting_new_positions') === true ? 'yes' : 'no';
  return {
    market_ticker: fieldOf(accepting, 'ticker'),
    effective_side: side,
    leverage_bps: 20_000,
    notional_amount_usd_pips: '200000',
    slippage_bps: 1_000,
    allow_revision: true,
  };
}

const ask = (api: SpawnedApi, request: { authorization: string; body: object; key: string }): Promise<TestAnswer> =>
  send(`${api.url}/quotes`, {
    authorization: request.authorization,
    body: request.body,
    headers: { 'Idempotency-Key': request.key },
  });

/** Position keys that hold room now. */
async function liveKeys(nowMs: number): Promise<readonly string[]> {
  return store.usage.releaseExpired(nowMs, 100);
}

describe('the process is killed', () => {
  test('between reserve and sign: the stored quote is signed on the repeat, and its room is released exactly once', async () => {
    const doomed = await spawnApi({ ...environment, CRASH_POINT: 'after_reserve' });
    const body = await warmBody(doomed);
    const authorization = await userOf(doomed);
    const key = 'killed-after-reserve';
    await expect(ask(doomed, { authorization, body, key })).rejects.toThrow(TypeError);
    expect(await doomed.ended).toBe('SIGKILL');

    const api = await spawnApi(environment);
    // The dead process still holds the key: the repeat is told to wait, and nothing is done twice.
    expect(codeOf(await ask(api, { authorization, body, key }))).toBe('request_already_in_progress');
    const partner = await store.partners.byName('first');
    await store.idempotency.abandon(`${partner?.id}:${wallets.alice.toLowerCase()}:createQuote`, key);
    await warmBody(api);
    const answer = await ask(api, { authorization, body, key });
    expect([answer.status, codeOf(answer)]).toEqual([201, undefined]);
    const wire = quote.encode(quote.parse(answer.body));
    const stored = await store.quotes.byPositionKey(wire.on_chain_position_key);
    expect(stored.map(({ id }) => id)).toEqual([wire.id]);
    const signer = await recoverQuoteSigner({
      digest: (stored[0]?.digest ?? '0x') as Hex,
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

  test('just before the answer leaves: the repeat gets the very same answer', async () => {
    const api = await spawnApi(environment);
    const body = await warmBody(api);
    const authorization = await userOf(api);
    const doomed = await spawnApi({ ...environment, CRASH_POINT: 'before_answer' });
    const key = 'killed-before-answer';
    // This process dies with its first success. Until its feed is warm it refuses, and a refusal gives the key back.
    const codeOrDeath = (): Promise<unknown> =>
      ask(doomed, { authorization, body, key }).then(codeOf, (cause: unknown) =>
        cause instanceof TypeError ? 'died' : Promise.reject(cause),
      );
    await expect.poll(codeOrDeath, { timeout: 30_000, interval: 1_100 }).toBe('died');
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

  test('a crash point is ignored outside tests', async () => {
    const api = await spawnApi({ ...environment, NODE_ENV: 'production', CRASH_POINT: 'before_answer' });
    expect((await send(`${api.url}/contract-info`, {})).status).toBe(200);
    await api.stop();
  });

  test('a wrong environment is named and nothing starts', async () => {
    await expect(spawnApi({ ...environment, CHAIN_ID: 'x' })).rejects.toThrow(/ended/);
  });

  test('without the chain, or on another one, nothing starts', async () => {
    await expect(spawnApi({ ...environment, RPC_URL: 'http://127.0.0.1:9' })).rejects.toThrow(/ended: 1/);
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
