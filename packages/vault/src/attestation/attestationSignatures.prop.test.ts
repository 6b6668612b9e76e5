import * as fc from 'fast-check';
import { type Hex, size, slice } from 'viem';
import { expect, test } from 'vitest';
import { anyPrivateKey, hexBytes } from '../../testing/arbitraries.ts';
import { PackedBytes } from '../signing/packedBytes.ts';
import { SigningKey } from '../signing/signingKey.ts';
import { attestationSignaturesOf, recoverPriceSigner } from './attestationSignatures.ts';

const anyKeys = fc.uniqueArray(anyPrivateKey, { minLength: 1, maxLength: 5 });
const signatureOf = (privateKey: Hex, hash: Hex) => {
  const key = new SigningKey(privateKey);
  return { signer: key.address, signature: key.signHash(new PackedBytes(32).hex(hash, 32).finish()) };
};

test('attestationSignaturesOf: 65 bytes for each signer, ascending by address, in any input order', async () => {
  await fc.assert(
    fc.asyncProperty(anyKeys, hexBytes(32), async (keys, hash) => {
      const parts = keys.map((key) => signatureOf(key, hash));
      const joined = attestationSignaturesOf(parts);
      expect(attestationSignaturesOf(parts.toReversed())).toBe(joined);
      expect(size(joined)).toBe(65 * keys.length);
      const signers = await Promise.all(
        keys.map((_, index) => recoverPriceSigner(hash, slice(joined, 65 * index, 65 * (index + 1)))),
      );
      expect(signers).toEqual(parts.map(({ signer }) => signer).toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1)));
    }),
    { numRuns: 30 },
  );
});

test('attestationSignaturesOf: a signer counts once in any spelling of its address', () => {
  fc.assert(
    fc.property(anyKeys, hexBytes(32), (keys, hash) => {
      const parts = keys.map((key) => signatureOf(key, hash));
      const again = parts.map(({ signer, signature }) => ({ signer: signer.toLowerCase() as Hex, signature }));
      expect(attestationSignaturesOf([...parts, ...again])).toBe(attestationSignaturesOf(parts));
    }),
    { numRuns: 20 },
  );
});

test('recoverPriceSigner: returns another key for another hash, and null for a malformed signature', async () => {
  await fc.assert(
    fc.asyncProperty(anyPrivateKey, hexBytes(32), hexBytes(32), async (privateKey, hash, other) => {
      fc.pre(hash !== other);
      const { signer, signature } = signatureOf(privateKey, hash);
      expect(await recoverPriceSigner(hash, signature)).toBe(signer);
      expect(await recoverPriceSigner(other, signature)).not.toBe(signer);
      expect(await recoverPriceSigner(hash, `0x${'00'.repeat(65)}`)).toBeNull();
      expect(await recoverPriceSigner(hash, slice(signature, 0, 64))).toBeNull();
    }),
    { numRuns: 20 },
  );
});
