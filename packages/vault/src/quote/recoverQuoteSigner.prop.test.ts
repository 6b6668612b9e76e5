import * as fc from 'fast-check';
import { type Hex, hexToBigInt, recoverMessageAddress, slice, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { anyPrivateKey, hexBytes } from '../../testing/arbitraries.ts';
import { isCanonicalSignature } from '../signing/canonicalSignature.ts';
import { SigningKey } from '../signing/signingKey.ts';
import { QuoteSigner } from './quoteSigner.ts';
import { recoverQuoteSigner } from './recoverQuoteSigner.ts';

const groupOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

test('signatures equal those of a generic signer and recover to the signing key', async () => {
  await fc.assert(
    fc.asyncProperty(anyPrivateKey, hexBytes(32), async (privateKey, digest) => {
      const signer = new QuoteSigner(new SigningKey(privateKey));
      const account = privateKeyToAccount(privateKey);
      const signature = await signer.signDigest(digest);
      expect(signer.address).toBe(account.address);
      expect(signature).toBe(await account.signMessage({ message: { raw: digest } }));
      expect(isCanonicalSignature(signature)).toBe(true);
      expect(await recoverQuoteSigner({ digest, signature })).toBe(account.address);
    }),
    { numRuns: 40 },
  );
});

test('refuses every other encoding of a valid signature', async () => {
  await fc.assert(
    fc.asyncProperty(anyPrivateKey, hexBytes(32), async (privateKey, digest) => {
      const key = new SigningKey(privateKey);
      const signature = await new QuoteSigner(key).signDigest(digest);
      const r = slice(signature, 0, 32);
      const s = hexToBigInt(slice(signature, 32, 64));
      const v = Number.parseInt(signature.slice(130), 16);
      const otherS = toHex(groupOrder - s, { size: 32 });
      const mirrored: Hex = `${r}${otherS.slice(2)}${(v === 27 ? 28 : 27).toString(16)}`;
      // A lenient verifier accepts the mirrored form as a signature of the same key, so it is refused.
      expect(await recoverMessageAddress({ message: { raw: digest }, signature: mirrored })).toBe(key.address);
      const compact = toHex(s | (BigInt(v - 27) << 255n), { size: 32 });
      for (const other of [
        mirrored,
        slice(signature, 0, 64),
        `${r}${compact.slice(2)}` as Hex,
        `${signature.slice(0, 130)}0${v - 27}` as Hex,
        `${signature}00` as Hex,
        `0x${'00'.repeat(65)}` as const,
      ]) {
        expect(isCanonicalSignature(other)).toBe(false);
        expect(await recoverQuoteSigner({ digest, signature: other })).toBeNull();
      }
    }),
    { numRuns: 20 },
  );
});

test('returns null for an r that is the x coordinate of no point', async () => {
  // 5 is no x coordinate of secp256k1.
  const signature: Hex = `${toHex(5n, { size: 32 })}${toHex(1n, { size: 32 }).slice(2)}1b`;
  expect(isCanonicalSignature(signature)).toBe(true);
  expect(await recoverQuoteSigner({ digest: `0x${'11'.repeat(32)}`, signature })).toBeNull();
});

test('refuses private keys outside the group', () => {
  expect(() => new SigningKey(`0x${'00'.repeat(32)}`)).toThrow(RangeError);
  expect(() => new SigningKey(`0x${'ff'.repeat(32)}`)).toThrow(RangeError);
  expect(() => new SigningKey('0x01')).toThrow(RangeError);
});
