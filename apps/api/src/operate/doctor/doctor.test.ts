import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { localRoles } from '@core/contracts/local';
import { listen } from '@core/runtime';
import { execute } from '@core/store/testing';
import { createPublicClient, http } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SpawnedApi, spawnApi } from '../../../testing/spawnApi.ts';
import { type Surroundings, startSurroundings } from '../../../testing/startSurroundings.ts';
import { operate } from '../operate.ts';

let surroundings: Surroundings;
let api: SpawnedApi;
let folder: string;
let complete: Record<string, string>;

const keyFile = (name: string, text: string, mode = 0o600): string => {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
};

beforeAll(async () => {
  surroundings = await startSurroundings();
  api = await spawnApi(surroundings.environment);
  folder = mkdtempSync(path.join(tmpdir(), 'doctor-'));
  chmodSync(surroundings.environment['QUOTE_SIGNER_KEY_FILE'] ?? '', 0o600);
  const { keeper, oracle } = localRoles();
  complete = {
    ...surroundings.environment,
    PORT: new URL(api.url).port,
    DEPLOYMENT_BLOCK: '1',
    KEEPER_KEY_FILE: keyFile('keeper.key', keeper.privateKey),
    ORACLE_ADDRESSES: oracle.address,
  };
});
afterAll(async () => {
  api.child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
  await surroundings.close();
});

interface Outcome {
  readonly name: string;
  readonly state: string;
  readonly detail: string;
  readonly fix: string | null;
}

async function outcomesWith(changes: Readonly<Record<string, string>>) {
  const { value, isFailedCheck } = await operate(['doctor'], {
    store: () => Promise.reject(new Error('doctor opens its own')),
    databaseUrl: () => '',
    vault: () => Promise.reject(new Error('doctor opens its own')),
    environment: { ...complete, ...changes },
    nowMs: Date.now,
  });
  const { checks } = value as { checks: readonly Outcome[] };
  const inState = (state: string) => checks.filter((check) => check.state === state).map(({ name }) => name);
  return { checks, isFailedCheck, inState };
}

test('doctor: settings that fit the running service → nothing fails, and what is not set is skipped', async () => {
  const { checks, isFailedCheck, inState } = await outcomesWith({});
  expect(checks.filter(({ state }) => state === 'failed')).toEqual([]);
  expect(isFailedCheck).toBe(false);
  expect(inState('skipped')).toEqual(['redis', 'fills', 'price signers']);
  expect(checks.every(({ fix }) => fix === null)).toBe(true);
});

const { alice } = localRoles();

test.each([
  ['nodes', { RPC_URL: 'http://127.0.0.1:9' }, /127\.0\.0\.1:9 does not answer/],
  ['nodes', { RPC_FALLBACK_URLS: 'http://127.0.0.1:9' }, /127\.0\.0\.1:9 does not answer/],
  ['nodes', { CHAIN_ID: '137' }, /is chain 31337, CHAIN_ID is 137/],
  ['contracts', { VAULT_ADDRESS: alice.address }, /no contract code at VAULT_ADDRESS/],
  ['contracts', { POOL_ADDRESS: alice.address }, /POOL_ADDRESS is 0x\w+, the vault's is 0x/],
  ['contracts', { EXCHANGE_ADDRESS: alice.address }, /EXCHANGE_ADDRESS is/],
  ['roles', { ORACLE_ADDRESSES: alice.address }, /has not listed the oracle/],
  ['database', { DATABASE_URL: 'postgres://lev:hidden@127.0.0.1:9/lev' }, /^The database at 127\.0\.0\.1:9 refuses/],
  ['gas', { KEEPER_MAX_FEE_GWEI: '1' }, /the price of gas is above the ceiling.* KEEPER_MAX_FEE_GWEI is 1 gwei/],
  ['redis', { REDIS_URL: 'redis://127.0.0.1:9' }, /does not answer/],
  ['partners', { ENVIRONMENT: 'production' }, /no partner of production has an active key/],
  ['venue', { VENUE_URL: 'http://127.0.0.1:9' }, /does not answer/],
  ['price signers', { PRICE_SIGNER_URLS: 'http://127.0.0.1:9' }, /does not answer; an order needs 2 signatures, 0 /],
  ['api', { PORT: '10' }, /does not answer/],
])('doctor: %s fails with %o and names its fix', async (name, changes, detail) => {
  const { checks, isFailedCheck } = await outcomesWith(changes);
  expect(isFailedCheck).toBe(true);
  const outcome = checks.find((check) => check.name === name);
  expect(outcome).toMatchObject({ state: 'failed', detail: expect.stringMatching(detail), fix: expect.any(String) });
});

test('doctor: one price signer must have the native coin to end grants, and each its first node', async () => {
  const { address: poor } = privateKeyToAccount(generatePrivateKey());
  const signers = [poor, localRoles().keeper.address].map((address) =>
    createServer((_, response) => {
      response.setHeader('content-type', 'application/json');
      const nodes = { count: 2, answering: 1, serving: address === poor ? 2 : 1 };
      response.end(JSON.stringify({ status: 'ready', address, nodes }));
    }),
  );
  const running = await Promise.all(signers.map((signer) => listen(signer, { port: 0 })));
  const detailOf = async (urls: readonly string[], ROUTE = 'fill') => {
    const { checks } = await outcomesWith({ PRICE_SIGNER_URLS: urls.join(), ROUTE });
    return checks.find(({ name }) => name === 'price signers')?.detail;
  };
  const urls = running.map(({ url }) => url);
  expect(await detailOf(urls.slice(0, 1))).toContain(
    `no signer can pay to end a grant: ${poor} has 0 of the chain's own coin`,
  );
  expect(await detailOf(urls.slice(0, 1), 'direct')).not.toContain('coin');
  expect(await detailOf(urls)).not.toContain('coin');
  expect(await detailOf(urls)).toContain(`${urls[0]} runs on node 2 of its 2`);
  expect(await detailOf(urls)).not.toContain(`${urls[1]} runs on`);
  for (const { close } of running) await close();
});

test('doctor: finds a key of another role, a readable secret file and a broken key set', async () => {
  const other = keyFile('other.key', alice.privateKey, 0o644);
  const tokens = keyFile('tokens.json', '{"keys":[{"kid":"one"}]}');
  const { checks, inState } = await outcomesWith({
    QUOTE_SIGNER_KEY_FILE: other,
    KEEPER_KEY_FILE: other,
    TOKEN_KEYS_FILE: tokens,
  });
  expect(inState('failed')).toEqual(['roles', 'files', 'token keys']);
  const { address } = privateKeyToAccount(alice.privateKey);
  const detailOf = (name: string) => checks.find((check) => check.name === name)?.detail;
  expect(detailOf('roles')).toContain(`the quote key is ${address}, the vault accepts `);
  expect(detailOf('roles')).toContain(`has not appointed ${address} as a keeper`);
  expect(detailOf('files')).toContain(`${other} is readable by other users (QUOTE_SIGNER_KEY_FILE)`);
});

test('doctor: a deployment block after the deployment, or after the newest block, fails', async () => {
  const client = createPublicClient({ transport: http(complete['RPC_URL']) });
  const head = await client.getBlockNumber();
  const detailAt = async (block: bigint) => {
    const { checks } = await outcomesWith({ DEPLOYMENT_BLOCK: String(block) });
    return checks.find(({ name, state }) => name === 'deployment block' && state === 'failed')?.detail;
  };
  expect(await detailAt(head)).toContain('the vault exists before');
  // The chain mines on meanwhile.
  expect(await detailAt(head + 1_000n)).toContain('is after the newest block');
});

test('doctor: names how many positions wait for a locked row, the oldest and its block', async () => {
  const { chain } = surroundings.store;
  const chainKey = `${complete['CHAIN_ID']}:${complete['VAULT_ADDRESS']?.toLowerCase()}`;
  await chain.postpone({ chainKey, positionKeys: ['0x01'], fromBlock: 9n });
  await chain.postpone({ chainKey, positionKeys: ['0x02'], fromBlock: 7n });
  const positions = async () => (await outcomesWith({})).checks.find(({ name }) => name === 'positions');
  expect(await positions()).toMatchObject({
    state: 'failed',
    detail: '2 wait for a locked row, 0x02 since block 7',
    fix: expect.stringContaining('DatabaseBusy.md'),
  });
  await Promise.all(['0x01', '0x02'].map((key) => chain.removePostponed(chainKey, key)));
  expect(await positions()).toMatchObject({ state: 'ok', fix: null });
});

test('doctor: names the session that keeps statements from a table, and skips what reads tables', async () => {
  const { databaseUrl } = surroundings;
  const holding = execute(databaseUrl, 'BEGIN; LOCK TABLE positions; SELECT pg_sleep(60)').catch(() => 'ended by hand');
  const database = async () => (await outcomesWith({})).checks.find(({ name }) => name === 'database');
  await expect.poll(database, { timeout: 15_000 }).toMatchObject({
    state: 'failed',
    detail: expect.stringMatching(/^positions is locked by session \d+ since .* \(BEGIN; LOCK TABLE/),
    fix: expect.stringContaining('end the session'),
  });
  await execute(
    databaseUrl,
    `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(60)' AND datname = current_database()`,
  );
  expect(await holding).toBe('ended by hand');
  expect(await database()).toMatchObject({ state: 'ok' });
});

test('doctor: a missing setting is refused by its name', async () => {
  await expect(outcomesWith({ VAULT_ADDRESS: '' })).rejects.toThrow(/VAULT_ADDRESS is missing/);
});
