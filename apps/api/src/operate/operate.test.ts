import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FriendlyError } from '@core/runtime';
import { openTestStore, sampleMarket, type TestStore } from '@core/store/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readTokenKeys } from '../auth/tokenKeys.ts';
import { operate, usage } from './operate.ts';

let opened: TestStore;
let folder: string;
const nowMs = 1_750_000_000_000;

beforeAll(async () => {
  opened = await openTestStore();
  await opened.store.markets.sync([sampleMarket(1)], nowMs);
  folder = mkdtempSync(path.join(tmpdir(), 'operate-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await opened.close();
});

const run = (...words: readonly string[]) =>
  operate(words, {
    markets: () => opened.store.markets,
    oracles: () => opened.store.oracles,
    vault: () => Promise.reject(new Error('the vault is not needed')),
    nowMs: () => nowMs,
  });
const reasonOf = async () => (await opened.store.markets.byTicker('market-1'))?.disabledReason;

test('a market is disabled with the documented reason or another, and enabled again', async () => {
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

test('an unknown market is named', async () => {
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
])('%j says how it is used', async (...words) => {
  await expect(run(...words)).rejects.toThrow(new FriendlyError(usage));
});

test('a stopped oracle is listed, and its markets are quoted on again when it is resumed', async () => {
  const { markets, oracles } = opened.store;
  const address = (await markets.byTicker('market-1'))?.oracleAddress ?? '';
  await oracles.stop({ address, reason: 'paid 3 to 1 in market-0', stoppedAtMs: nowMs });
  expect(await reasonOf()).toBe('oracle_stopped');
  const stopped = { address: address.toLowerCase(), reason: 'paid 3 to 1 in market-0' };
  expect(await run('oracles', 'list')).toEqual({ stopped: [{ ...stopped, stopped_at: '2025-06-15T15:06:40.000Z' }] });
  expect(await run('oracles', 'resume', address)).toEqual({ resumed: stopped.address });
  expect([await reasonOf(), await run('oracles', 'list')]).toEqual([null, { stopped: [] }]);
  await expect(run('oracles', 'resume', address)).rejects.toThrow(/is not stopped/);
});

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
  await expect(run('token-keys', 'retire', path.join(folder, 'none.json'))).rejects.toThrow(/there is no file/);
});
