import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '@core/runtime';
import { beforeAll, expect, test } from 'vitest';
import { rotatedTokenKeys } from '../operate/tokenKeyFile.ts';
import { tokenKeysFollower } from './followTokenKeys.ts';
import { TokenKeyRing } from './tokenKeyRing.ts';
import { readTokenKeys, type TokenKeys } from './tokenKeys.ts';
import { UserTokens } from './userTokens.ts';

let older: object;
let newer: object;
let both: TokenKeys;
const subject = { partnerId: 'ptn_1', walletAddress: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' };

const firstKidOf = (json: object) => (json as { keys: { kid: string }[] }).keys[0]?.kid;

beforeAll(async () => {
  older = rotatedTokenKeys(null);
  newer = rotatedTokenKeys(older);
  both = await readTokenKeys(newer);
});

/** A process that reads the set at `atMs`. */
async function ringAt(clock: { nowMs: number }): Promise<TokenKeyRing> {
  return new TokenKeyRing(await readTokenKeys(older), () => clock.nowMs);
}

test('a rotation puts a new key in front and keeps the one before, never a third', () => {
  const third = rotatedTokenKeys(newer) as { keys: { kid: string }[] };
  expect(third.keys.map(({ kid }) => kid).slice(1)).toEqual([firstKidOf(newer)]);
});

test('a new key verifies at once and signs once no verifier may use older published keys', async () => {
  const clock = { nowMs: 0 };
  const ring = await ringAt(clock);
  ring.replace(both);
  expect([...ring.verifying.keys()]).toEqual([firstKidOf(newer), firstKidOf(older)]);
  expect(ring.signing.kid).toBe(firstKidOf(older));
  clock.nowMs = 89_999;
  ring.replace(both);
  expect(ring.signing.kid).toBe(firstKidOf(older));
  clock.nowMs = 90_000;
  expect(ring.signing.kid).toBe(firstKidOf(newer));
});

test('a key that was taken out signs and verifies nothing from then on', async () => {
  const clock = { nowMs: 0 };
  const ring = await ringAt(clock);
  const tokens = new UserTokens({ keys: ring, environment: 'sandbox', clock: systemClock });
  const { token } = await tokens.issue(subject);
  const alone = rotatedTokenKeys(null);
  ring.replace(await readTokenKeys(alone));
  expect(ring.signing.kid).toBe(firstKidOf(alone));
  expect(await tokens.verify(token)).toBe('unknown');
});

test('during a rotation no process refuses what another has signed, whichever reads the file first', async () => {
  const clock = { nowMs: 0 };
  const [early, late] = [await ringAt(clock), await ringAt(clock)];
  const tokensOf = (keys: TokenKeys) => new UserTokens({ keys, environment: 'sandbox', clock: systemClock });
  early.replace(both);
  for (const step of [0, 250, 500, 90_000, 180_000]) {
    clock.nowMs = step;
    if (step === 500) late.replace(both);
    for (const [from, to] of [
      [early, late],
      [late, early],
    ] as const) {
      expect(await tokensOf(to).verify((await tokensOf(from).issue(subject)).token)).toMatchObject(subject);
    }
  }
});

test('follows the file; an unreadable one changes nothing', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'token-keys-'));
  const file = path.join(folder, 'keys.json');
  const ring = await ringAt({ nowMs: 0 });
  const follow = tokenKeysFollower(file, ring);
  await expect(follow()).rejects.toThrow(/ENOENT/);
  await writeFile(file, JSON.stringify(newer));
  await follow();
  expect([...ring.verifying.keys()]).toContain(firstKidOf(newer));
  await writeFile(file, JSON.stringify(newer).slice(0, 40));
  await expect(follow()).rejects.toThrow(SyntaxError);
  await writeFile(file, '{"keys":[]}');
  await expect(follow()).rejects.toThrow(/keys/);
  expect([...ring.verifying.keys()]).toEqual([firstKidOf(newer), firstKidOf(older)]);
  await rm(folder, { recursive: true });
});

test('publishes public parts alone', () => {
  for (const key of both.published) {
    expect(Object.keys(key).toSorted((a, b) => a.localeCompare(b))).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x']);
  }
});
