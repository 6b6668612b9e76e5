import { sampleNowMs, walletOf } from '@core/position/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { execute, openTestStore, type TestStore } from '../../testing/index.ts';
import { openStore } from '../openStore.ts';

let testStore: TestStore;
beforeAll(async () => {
  testStore = await openTestStore();
});
afterAll(() => testStore.close());

const nowMs = sampleNowMs;
const vaultAddress = walletOf(1);

test('binding: several programs start at once on a new database → it is bound to their vault', async () => {
  const { binding } = testStore.store;
  expect(await binding.current()).toBeNull();
  await Promise.all(Array.from({ length: 5 }, () => binding.bind({ chainId: 137, vaultAddress, nowMs })));
  expect(await binding.current()).toEqual({ chainId: 137, vaultAddress: vaultAddress.toLowerCase() });
  const inCapitals = vaultAddress.toUpperCase().replace('0X', '0x');
  await binding.bind({ chainId: 137, vaultAddress: inCapitals, nowMs: nowMs + 1 });
  const bound = await execute(testStore.database.databaseUrl, 'SELECT chain_id, vault_address FROM service_binding');
  expect(bound).toEqual([{ chain_id: '137', vault_address: vaultAddress.toLowerCase() }]);
});

test.each([[{ chainId: 137, vaultAddress: walletOf(2) }], [{ chainId: 31_337, vaultAddress }]])(
  'binding: another vault or chain, %o → refused in one sentence with what to do',
  async (other) => {
    const { binding } = testStore.store;
    await binding.bind({ chainId: 137, vaultAddress, nowMs });
    const refusal = binding.bind({ ...other, nowMs });
    await expect(refusal).rejects.toMatchObject({ name: 'FriendlyError' });
    await expect(refusal).rejects.toThrow(/^The database belongs to the vault 0x\w{40} on chain 137, .+ DATABASE_URL/);
    await binding.bind({ chainId: 137, vaultAddress, nowMs });
  },
);

test('binding: an empty database → refused in one line that names the command', async () => {
  const { databaseUrl } = testStore.database;
  await execute(databaseUrl, 'CREATE DATABASE empty_one');
  const url = new URL(databaseUrl);
  url.pathname = '/empty_one';
  const store = openStore({ databaseUrl: url.href, maxConnections: 1 });
  const refusal = store.binding.bind({ chainId: 137, vaultAddress, nowMs });
  await expect(refusal).rejects.toMatchObject({ name: 'FriendlyError' });
  await expect(refusal).rejects.toThrow(/^The database lacks \d+ migrations .+ operate database migrate`\.$/);
  await store.close();
  await execute(databaseUrl, 'DROP DATABASE empty_one');
});

test('binding: a server that does not answer → refused in one line without its password', async () => {
  const databaseUrl = 'postgres://lev:hidden@127.0.0.1:9/lev';
  const store = openStore({ databaseUrl, maxConnections: 1 });
  const refusal = store.binding.bind({ chainId: 137, vaultAddress, nowMs });
  await expect(refusal).rejects.toThrow(/^The database at 127\.0\.0\.1:9 refuses: .*ECONNREFUSED/);
  await expect(refusal).rejects.not.toThrow(/hidden/);
  await store.close();
});
