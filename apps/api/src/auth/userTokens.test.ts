import { fixedClock } from '@core/runtime/testing';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { readTokenKeys, type TokenKeys } from './tokenKeys.ts';
import { tokenLifetimeMs, UserTokens } from './userTokens.ts';

const subject = { partnerId: 'ptn_1', walletAddress: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' };
const clock = fixedClock(Date.UTC(2026, 0, 1));
let older: Record<string, unknown>;
let newer: Record<string, unknown>;
let keys: TokenKeys;
let tokens: UserTokens;

async function newJwk(kid: string): Promise<Record<string, unknown>> {
  const { privateKey } = await generateKeyPair('EdDSA', { extractable: true });
  return { ...(await exportJWK(privateKey)), kid };
}

beforeAll(async () => {
  older = await newJwk('2025');
  newer = await newJwk('2026');
  keys = await readTokenKeys({ keys: [newer, older] });
  tokens = new UserTokens({ keys, environment: 'sandbox', clock });
});

describe('tokens', () => {
  test('a fresh token speaks for its wallet and partner for one hour', async () => {
    const issued = await tokens.issue(subject);
    expect(issued.expiresAtMs).toBe(clock.nowMs() + tokenLifetimeMs);
    expect(await tokens.verify(issued.token)).toMatchObject(subject);
  });

  test('it ends at its expiry, not a second later', async () => {
    const { token } = await tokens.issue(subject);
    clock.advanceMs(tokenLifetimeMs - 1_000);
    expect(await tokens.verify(token)).toMatchObject(subject);
    clock.advanceMs(1_000);
    expect(await tokens.verify(token)).toBe('expired');
  });

  test('a token of a rotated key stays valid while the key is in the set, and not after', async () => {
    const before = new UserTokens({ keys: await readTokenKeys({ keys: [older] }), environment: 'sandbox', clock });
    const { token } = await before.issue(subject);
    expect(await tokens.verify(token)).toMatchObject(subject);
    const without = new UserTokens({ keys: await readTokenKeys({ keys: [newer] }), environment: 'sandbox', clock });
    expect(await without.verify(token)).toBe('unknown');
  });

  test('another environment refuses it', async () => {
    const { token } = await tokens.issue(subject);
    expect(await new UserTokens({ keys, environment: 'production', clock }).verify(token)).toBe('other_environment');
  });

  test('F21: every forgery is refused', async () => {
    const nowSeconds = Math.floor(clock.nowMs() / 1_000);
    const { token } = await tokens.issue(subject);
    const [header = '', payload = '', signature = ''] = token.split('.');
    const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const { privateKey: stranger } = await generateKeyPair('EdDSA');
    const forged = new SignJWT({ partner_id: 'ptn_1' })
      .setIssuer('leveraged-prediction-markets')
      .setAudience('sandbox')
      .setSubject(subject.walletAddress)
      .setIssuedAt(nowSeconds)
      .setExpirationTime(nowSeconds + 60);
    const publicBytes = Buffer.from(String(newer['x']), 'base64url');
    const forgeries = [
      `${encode({ alg: 'none', kid: '2026', typ: 'JWT' })}.${payload}.`,
      `${encode({ alg: 'none', kid: '2026', typ: 'JWT' })}.${payload}.${signature}`,
      `${encode({ alg: 'EdDSA', typ: 'JWT' })}.${payload}.${signature}`,
      `${encode({ alg: 'EdDSA', kid: 'unknown', typ: 'JWT' })}.${payload}.${signature}`,
      `${header}.${encode({ sub: 'someone', partner_id: 'ptn_1', exp: nowSeconds + 60 })}.${signature}`,
      `${header}.${payload}.${signature.slice(0, -4)}AAAA`,
      await forged.setProtectedHeader({ alg: 'EdDSA', kid: '2026', typ: 'JWT' }).sign(stranger),
      // The public key used as a shared secret.
      await new SignJWT({ partner_id: 'ptn_1', sub: subject.walletAddress })
        .setProtectedHeader({ alg: 'HS256', kid: '2026', typ: 'JWT' })
        .setIssuer('leveraged-prediction-markets')
        .setAudience('sandbox')
        .setIssuedAt(nowSeconds)
        .setExpirationTime(nowSeconds + 60)
        .sign(publicBytes),
      // Well signed, but for ever.
      await new SignJWT({ partner_id: 'ptn_1', sub: subject.walletAddress })
        .setProtectedHeader({ alg: 'EdDSA', kid: '2026', typ: 'JWT' })
        .setIssuer('leveraged-prediction-markets')
        .setAudience('sandbox')
        .setIssuedAt(nowSeconds)
        .sign(keys.signing.key),
      '',
      '.',
      '..',
      'nonsense',
      'a.b.c.d.e',
    ];
    for (const forgery of forgeries) expect(await tokens.verify(forgery)).toMatch(/^(malformed|unknown)$/);
  });
});

describe('the key set', () => {
  test.each([
    { keys: [] },
    {},
    { keys: [{ kty: 'EC', crv: 'P-256', kid: '1', x: 'a' }] },
    { keys: [{ kty: 'OKP', crv: 'Ed25519', kid: '1', x: 'a' }] },
  ])('refuses %o', async (json) => {
    await expect(readTokenKeys(json)).rejects.toThrow(Error);
  });

  test('refuses a repeated kid', async () => {
    await expect(readTokenKeys({ keys: [newer, { ...older, kid: '2026' }] })).rejects.toThrow(Error);
  });
});
