import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FriendlyError, keeperHeartbeatOf } from '@core/runtime';
import { openTestStore, sampleMarket, type TestStore } from '@core/store/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { wellReport } from '../../testing/aheadKeeper.ts';
import { readTokenKeys } from '../auth/tokenKeys.ts';
import { operate } from './operate.ts';

let testStore: TestStore;
let folder: string;
const nowMs = 1_750_000_000_000;

beforeAll(async () => {
  testStore = await openTestStore();
  await testStore.store.markets.sync([sampleMarket(1)], nowMs);
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
    nowMs: () => nowMs,
  };
  return (await operate(words, operations)).value;
};
const reasonOf = async () => (await testStore.store.markets.byTicker('market-1'))?.disabledReason;

test('a market is disabled with the default or a given reason, and enabled again', async () => {
  expect(await run('markets', 'disable', 'market-1')).toEqual({
    ticker: 'market-1',
    disabled_reason: 'force_disabled',
  });
  expect(await reasonOf()).toBe('force_disabled');
  await run('markets', 'disable', 'market-1', '--reason', 'oracle dispute');
  expect(await reasonOf()).toBe('oracle dispute');
  expect(await run('markets', 'enable', 'market-1')).toEqual({ ticker: 'market-1', disabled_reason: null });
  expect(await reasonOf()).toBeNull();
});

test('an unknown market is rejected by name', async () => {
  await expect(run('markets', 'disable', 'market-2')).rejects.toThrow('no market has the ticker market-2');
});

test.each([
  [],
  ['markets'],
  ['markets', 'disable'],
  ['oracles'],
  ['oracles', 'list', 'all'],
  ['oracles', 'resume'],
  ['markets', 'close', 'market-1'],
  ['markets', 'disable', 'market-1', '--why'],
  ['markets', 'disable', 'market-1', '--reason'],
  ['markets', 'enable', 'market-1', '--reason', 'x'],
  ['vault'],
  ['vault', 'halt'],
  ['vault', 'signers', 'all'],
  ['market-shares'],
  ['market-shares', 'set'],
  ['partners', 'create'],
  ['keys', 'issue', 'acme', '--json', 'now'],
])('%j → refused with the usage', async (...words) => {
  const refusal = run(...words);
  await expect(refusal).rejects.toBeInstanceOf(FriendlyError);
  await expect(refusal).rejects.toThrow('operate partners create <name> [--environment <sandbox|production>]');
});

test('a stopped oracle is listed, and its markets are quoted again after resume', async () => {
  const { markets, oracles } = testStore.store;
  const address = (await markets.byTicker('market-1'))?.oracleAddress ?? '';
  await oracles.stop({ address, reason: 'paid 3 to 1 in market-0', stoppedAtMs: nowMs });
  expect(await reasonOf()).toBe('oracle_stopped');
  const oracle = { address: address.toLowerCase(), reason: 'paid 3 to 1 in market-0' };
  expect(await run('oracles', 'list')).toEqual({ stopped: [{ ...oracle, stopped_at: '2025-06-15T15:06:40.000Z' }] });
  expect(await run('oracles', 'resume', address)).toEqual({ resumed: oracle.address });
  expect([await reasonOf(), await run('oracles', 'list')]).toEqual([null, { stopped: [] }]);
  await expect(run('oracles', 'resume', address)).rejects.toThrow(/is not stopped/);
});

test('market shares: 64 by default, set to a power of two, repeated without a change', async () => {
  expect(await run('market-shares', 'show')).toEqual({ share_count: 64, keepers: [] });
  expect(await run('market-shares', 'set', '8')).toEqual({ share_count: 8 });
  expect(await run('market-shares', 'set', '8')).toEqual({ share_count: 8 });
  const { heartbeats, sharing } = testStore.store;
  expect(await sharing.shareCount()).toBe(8);
  const shareGroups = [
    { shareCount: 8, shares: [0, 3], isHeld: true, debtWatchAgeMs: 300 },
    { shareCount: 8, shares: [4], isHeld: true, debtWatchAgeMs: null },
    { shareCount: 64, shares: [1, 9], isHeld: false, debtWatchAgeMs: 2_000 },
  ];
  const detail = { ...wellReport, shareGroups };
  await heartbeats.report({ name: keeperHeartbeatOf(detail.address), nowMs, succeeded: true, detail });
  const keeper = { address: detail.address, heartbeat_at: '2025-06-15T15:06:40.000Z', shares: { of_8: 3 } };
  expect(await run('market-shares', 'show')).toEqual({ share_count: 8, keepers: [keeper] });
});

test.each(['0', '3', '65', '2048', '-8', '8.0', 'many'])(
  'market shares: rejects the count %s without a change',
  async (count) => {
    const before = await testStore.store.sharing.shareCount();
    const refusal = run('market-shares', 'set', '--', count);
    await expect(refusal).rejects.toBeInstanceOf(FriendlyError);
    await expect(refusal).rejects.toThrow(`is one of 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, got ${count}`);
    expect(await testStore.store.sharing.shareCount()).toBe(before);
  },
);

test('token keys: the file is private, holds at most two keys, and the newest signs', async () => {
  const file = path.join(folder, 'keys.json');
  const kidsIn = async () => [...(await readTokenKeys(JSON.parse(readFileSync(file, 'utf8')))).verifying.keys()];
  await run('token-keys', 'rotate', file);
  const [first] = await kidsIn();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await run('token-keys', 'rotate', file);
  const [second, ...others] = await kidsIn();
  expect(others).toEqual([first]);
  expect(await run('token-keys', 'retire', file)).toEqual({ file, kids: [second] });
  expect(await kidsIn()).toEqual([second]);
  await expect(run('token-keys', 'retire', path.join(folder, 'none.json'))).rejects.toThrow(/does not exist/);
});

test('database export: the file is private and whole; one that cannot be written is refused without a part', async () => {
  const file = path.join(folder, 'export');
  await run('database', 'export', file);
  expect(readFileSync(file, 'utf8').endsWith('\n')).toBe(true);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const obstacle = path.join(folder, 'obstacle');
  mkdirSync(obstacle);
  await expect(run('database', 'export', obstacle)).rejects.toThrow(FriendlyError);
  await expect(run('database', 'export', path.join(folder, 'absent', 'export'))).rejects.toThrow(FriendlyError);
  expect(readdirSync(folder).filter((name) => name.includes('export.') || name.includes('obstacle.'))).toEqual([]);
});
