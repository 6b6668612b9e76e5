import { pricePips, rateBps, raw } from '@core/pricing';
import * as fc from 'fast-check';
import { type Hex, size, slice } from 'viem';
import { expect, test } from 'vitest';
import { anyPrivateKey, anyUint16, anyUint32, anyUint256, hexBytes } from '../../testing/arbitraries.ts';
import { Purpose } from '../generated/enums.ts';
import { PackedBytes } from '../signing/packedBytes.ts';
import { SigningKey } from '../signing/signingKey.ts';
import { attestationSignaturesOf, recoverPriceSigner } from './attestationSignatures.ts';
import { jointAttestationOf } from './jointAttestation.ts';

const anyKeys = fc.uniqueArray(anyPrivateKey, { minLength: 1, maxLength: 5 });
const signed = (privateKey: Hex, hash: Hex) => {
  const key = new SigningKey(privateKey);
  return { signer: key.address, signature: key.signHash(new PackedBytes(32).hex(hash, 32).finish()) };
};

test('joined signatures are 65 bytes for each signer, ascending by address, in whatever order they came', async () => {
  await fc.assert(
    fc.asyncProperty(anyKeys, hexBytes(32), async (keys, hash) => {
      const parts = keys.map((key) => signed(key, hash));
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

test('a signer counts once, however its address is written', () => {
  fc.assert(
    fc.property(anyKeys, hexBytes(32), (keys, hash) => {
      const parts = keys.map((key) => signed(key, hash));
      const again = parts.map(({ signer, signature }) => ({ signer: signer.toLowerCase() as Hex, signature }));
      expect(attestationSignaturesOf([...parts, ...again])).toBe(attestationSignaturesOf(parts));
    }),
    { numRuns: 20 },
  );
});

test('a signature of another hash is of another key; what is no signature is of none', async () => {
  await fc.assert(
    fc.asyncProperty(anyPrivateKey, hexBytes(32), hexBytes(32), async (privateKey, hash, other) => {
      fc.pre(hash !== other);
      const { signer, signature } = signed(privateKey, hash);
      expect(await recoverPriceSigner(hash, signature)).toBe(signer);
      expect(await recoverPriceSigner(other, signature)).not.toBe(signer);
      expect(await recoverPriceSigner(hash, `0x${'00'.repeat(65)}`)).toBeNull();
      expect(await recoverPriceSigner(hash, slice(signature, 0, 64))).toBeNull();
    }),
    { numRuns: 20 },
  );
});

const anyAttestation = fc.record({
  marketId: fc.constant(`0x${'01'.repeat(32)}` as const),
  tokenId: fc.constant(7n),
  purpose: fc.constantFrom(Purpose.Open, Purpose.Close, Purpose.Unwind, Purpose.Liquidate),
  markPips: anyUint32.map(pricePips),
  limitPips: anyUint32.map(pricePips),
  triggerPips: anyUint32.map(pricePips),
  venueFeeBps: anyUint16.map(rateBps),
  exitBufferBps: fc.constant(rateBps(800n)),
  observedAt: fc.bigInt(0n, 2n ** 40n),
});

test('the joint attestation of one order is as careful as each, and as old as the older', () => {
  fc.assert(
    fc.property(anyAttestation, anyAttestation, (left, other) => {
      const right = { ...other, purpose: left.purpose };
      const joint = jointAttestationOf(left, right);
      if (joint === null) throw new Error('they are for one order');
      expect(joint).toEqual(jointAttestationOf(right, left));
      const sign = left.purpose === Purpose.Open ? -1n : 1n;
      for (const each of [left, right]) {
        expect(sign * (raw(joint.markPips) - raw(each.markPips))).toBeGreaterThanOrEqual(0n);
        expect(sign * (raw(joint.limitPips) - raw(each.limitPips))).toBeGreaterThanOrEqual(0n);
        expect(raw(joint.triggerPips)).toBeGreaterThanOrEqual(raw(each.triggerPips));
        expect(joint.observedAt).toBeLessThanOrEqual(each.observedAt);
      }
    }),
  );
});

test('attestations for different orders have no joint one', () => {
  fc.assert(
    fc.property(anyAttestation, hexBytes(32), anyUint256, (attestation, marketId, tokenId) => {
      fc.pre(marketId !== attestation.marketId && tokenId !== attestation.tokenId);
      const purpose = attestation.purpose === Purpose.Open ? Purpose.Close : Purpose.Open;
      for (const change of [{ marketId }, { tokenId }, { purpose }, { exitBufferBps: rateBps(801n) }]) {
        expect(jointAttestationOf(attestation, { ...attestation, ...change })).toBeNull();
      }
    }),
  );
});
