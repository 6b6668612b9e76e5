import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FriendlyError } from '@core/runtime';
import { openTestStore, type TestStore } from '@core/store/testing';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operate } from './operate.ts';

let testStore: TestStore;
let folder: string;

beforeAll(async () => {
  testStore = await openTestStore();
  folder = mkdtempSync(path.join(tmpdir(), 'operate-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await testStore.close();
});

const run = async (...words: readonly string[]) => {
  const operations = {
    store: async () => testStore.store,
    databaseUrl: () => testStore.database.databaseUrl,
    vault: () => Promise.reject(new Error('the vault is not needed')),
    environment: {},
    nowMs: Date.now,
  };
  return (await operate(words, operations)).value;
};
const termsOf = async (name: string) => (await testStore.store.partners.byName(name))?.terms;

test('partners create: a second run returns the same partner; another environment or other terms are rejected', async () => {
  const create = ['partners', 'create', 'acme', '--environment', 'production', '--set', 'max_leverage_bps=50000'];
  const created = await run(...create);
  expect(created).toMatchObject({ name: 'acme', environment: 'production', keys: [], is_new: true });
  expect(await run(...create)).toEqual({ ...created, is_new: false });
  expect(await run(...create.slice(0, 5))).toEqual({ ...created, is_new: false });
  await expect(run('partners', 'create', 'acme')).rejects.toThrow('exists in the environment production');
  await expect(run(...create.slice(0, -1), 'max_leverage_bps=60000')).rejects.toThrow('operate partners terms acme');
  await expect(run('partners', 'create', 'a b')).rejects.toThrow('a name has 1 to 64 letters');
  await expect(run('partners', 'create', 'b', '--environment', 'live')).rejects.toThrow('sandbox or production');
});

test('partners terms: --set changes only the given figures', async () => {
  await run('partners', 'create', 'terms');
  const before = await termsOf('terms');
  const set = ['--set', 'limits.user_notional_usd_pips=70000', '--set', 'fees.origination_tiers.1.fee_bps=120'];
  const { terms } = (await run('partners', 'terms', 'terms', ...set, '--set', 'risk_mode=committed')) as {
    terms: Record<string, string>;
  };
  expect(terms).toMatchObject({ 'limits.user_notional_usd_pips': '70000', risk_mode: 'committed' });
  const after = await termsOf('terms');
  expect(after?.limits).toEqual({ ...before?.limits, userNotionalUsdPips: 70_000n });
  expect(after?.fees.originationTiers.map(({ feeBps }) => feeBps)).toEqual([75n, 120n, 150n, 200n]);
  expect(await run('partners', 'terms', 'terms')).toMatchObject({ terms });
});

test.each([
  ['nonsense=1', 'nonsense is not a field of the terms'],
  ['max_leverage_bps', 'is not a field of the terms'],
  ['max_leverage_bps=100001', 'max_leverage_bps must be from 10000 to 100000'],
  ['max_leverage_bps=-1', 'expected a whole number'],
  ['risk_mode=calm', 'risk_mode: expected adaptive or committed'],
  ['min_notional_usd_pips=1', 'min_notional_usd_pips must be at least 50000'],
  ['fees.partner_origination_fee_bps=501', 'from 0 to 500'],
  ['fees.lifetime_fee_apr_bps=10001', 'from 0 to 10000'],
])('partners terms: rejects --set %s without a change', async (change, reason) => {
  await run('partners', 'create', 'refused');
  const before = await termsOf('refused');
  const refusal = run('partners', 'terms', 'refused', '--set', change);
  await expect(refusal).rejects.toBeInstanceOf(FriendlyError);
  await expect(refusal).rejects.toThrow(reason);
  expect(await termsOf('refused')).toEqual(before);
});

test('partners disable: revokes the keys and sets the notional cap to 0; a second run has the same result', async () => {
  await run('partners', 'create', 'former');
  const { api_key: secret } = (await run('keys', 'issue', 'former')) as { api_key: string };
  const disabled = await run('partners', 'disable', 'former');
  expect(disabled).toMatchObject({ keys: [{ is_active: false }] });
  expect(await testStore.store.apiKeys.authenticate(secret, 'sandbox')).toBe('revoked');
  expect((await termsOf('former'))?.limits.partnerNotionalUsdPips).toBe(0n);
  expect(await run('partners', 'disable', 'former')).toEqual(disabled);
  await expect(run('partners', 'disable', 'missing')).rejects.toThrow(/no partner has the name missing: .*former/);
});

test('keys: at most two are active, revocation is final, rotation leaves only the new one', async () => {
  const { id: partnerId } = (await run('partners', 'create', 'keys')) as { id: string };
  const first = (await run('keys', 'issue', 'keys')) as { id: string; api_key: string };
  await run('keys', 'issue', partnerId);
  await expect(run('keys', 'issue', 'keys')).rejects.toThrow('keys has two active keys');
  expect(await run('keys', 'revoke', first.id)).toEqual({ id: first.id, is_active: false });
  expect(await run('keys', 'revoke', first.id)).toEqual({ id: first.id, is_active: false });
  await expect(run('keys', 'revoke', 'key_none')).rejects.toThrow('no key has the ID key_none');
  const rotated = (await run('keys', 'rotate', 'keys')) as { id: string; api_key: string };
  expect(await testStore.store.apiKeys.authenticate(rotated.api_key, 'sandbox')).toMatchObject({ id: rotated.id });
  const { partners } = (await run('partners', 'list')) as {
    partners: { name: string; keys: { id: string; is_active: boolean }[] }[];
  };
  const active = partners.find(({ name }) => name === 'keys')?.keys.filter((key) => key.is_active);
  expect(active?.map(({ id }) => id)).toEqual([rotated.id]);
});

test('keys issue --file: writes the key to a private file only; a second run issues none', async () => {
  await run('partners', 'create', 'filed');
  const file = path.join(folder, 'partner.key');
  const issued = await run('keys', 'issue', 'filed', '--file', file);
  const { id } = issued as { id: string };
  expect(issued).toEqual({ id, partner: 'filed', file });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const secret = readFileSync(file, 'utf8').trim();
  expect(await testStore.store.apiKeys.authenticate(secret, 'sandbox')).toMatchObject({ id });
  expect(await run('keys', 'issue', 'filed', '--file', file)).toEqual(issued);
  await run('keys', 'revoke', id);
  await expect(run('keys', 'issue', 'filed', '--file', file)).rejects.toThrow('holds no active key of filed');
});

test('role-keys create: creates a private key and prints its address; a second run changes nothing', async () => {
  const file = path.join(folder, 'keeper.key');
  const created = await run('role-keys', 'create', file);
  const key = readFileSync(file, 'utf8').trim() as `0x${string}`;
  expect(created).toEqual({ file, address: privateKeyToAccount(key).address, is_new: true });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await run('role-keys', 'create', file)).toEqual({ ...created, is_new: false });
  writeFileSync(file, 'no key');
  await expect(run('role-keys', 'create', file)).rejects.toThrow('must hold a private key');
});

test('database: check names a pending migration, migrate applies it, a second run applies none', async () => {
  expect(await run('database', 'check')).toEqual({ pending: [] });
  expect(await run('database', 'migrate')).toEqual({ applied: [] });
});
