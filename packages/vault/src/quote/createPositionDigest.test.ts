import { readFileSync } from 'node:fs';
import { leverageBps, rateBps, usdcUnits } from '@core/pricing';
import { keccak256, toHex } from 'viem';
import { describe, expect, test } from 'vitest';
import { type DigestVector, digestVectors } from '../../testing/digestVectors.ts';
import { positionKeyOf } from '../position/positionKeyOf.ts';
import { SigningKey } from '../signing/signingKey.ts';
import { type CreatePositionFields, createPositionDigest, packCreatePosition } from './createPositionDigest.ts';
import { QuoteSigner } from './quoteSigner.ts';
import { recoverQuoteSigner } from './recoverQuoteSigner.ts';

const { vectors } = JSON.parse(readFileSync(new URL('../../testing/digest.vectors.json', import.meta.url), 'utf8')) as {
  vectors: DigestVector[];
};

function fieldsOf(vector: DigestVector): CreatePositionFields {
  return {
    positionSeed: vector.positionSeed,
    user: vector.user,
    venueMarketId: vector.venueMarketId,
    venueTokenId: BigInt(vector.venueTokenId),
    collateralUsdcUnits: usdcUnits(BigInt(vector.collateralUsdcUnits)),
    leverageBps: leverageBps(BigInt(vector.leverageBps)),
    notionalUsdcUnits: usdcUnits(BigInt(vector.notionalUsdcUnits)),
    originationFeeBps: rateBps(BigInt(vector.originationFeeBps)),
    lifetimeFeeAprBps: rateBps(BigInt(vector.lifetimeFeeAprBps)),
    liquidationFeeBps: rateBps(BigInt(vector.liquidationFeeBps)),
    signatureExpiry: BigInt(vector.signatureExpiry),
    chainId: Number(vector.chainId),
    vault: vector.vault,
  };
}

describe('shared vectors', () => {
  test('the committed file is the generated one', async () => {
    expect(vectors).toEqual(await digestVectors());
  });

  test('packed bytes, digest, signature, signer and position key match', async () => {
    for (const [index, vector] of vectors.entries()) {
      const fields = fieldsOf(vector);
      const signer = new QuoteSigner(new SigningKey(keccak256(toHex(`quote signer ${index}`))));
      expect(toHex(packCreatePosition(fields))).toBe(vector.packed);
      expect(createPositionDigest(fields)).toBe(vector.digest);
      expect(signer.address).toBe(vector.signer);
      expect(await signer.sign(fields)).toEqual({ digest: vector.digest, signature: vector.signature });
      expect(positionKeyOf(fields)).toBe(vector.positionKey);
      expect(await recoverQuoteSigner(vector)).toBe(vector.signer);
    }
  });

  test('every flipped bit of the packed bytes gives another digest', () => {
    const [, , vector] = vectors;
    if (vector === undefined) throw new Error('the vectors are missing');
    const packed = packCreatePosition(fieldsOf(vector));
    const digests = new Set<string>([vector.digest]);
    for (let bit = 0; bit < packed.length * 8; bit += 1) {
      const flipped = packed.slice();
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      digests.add(keccak256(flipped));
    }
    expect(digests.size).toBe(273 * 8 + 1);
  });
});

describe('values out of their type', () => {
  const [, , vector] = vectors;
  if (vector === undefined) throw new Error('the vectors are missing');
  const fields = fieldsOf(vector);
  const wrong: readonly Partial<CreatePositionFields>[] = [
    { positionSeed: `0x${'11'.repeat(15)}` },
    { positionSeed: `0x${'1g'.repeat(16)}` },
    { user: `0x${'11'.repeat(21)}` },
    { venueMarketId: '0x' },
    { venueTokenId: 2n ** 256n },
    { venueTokenId: -1n },
    { collateralUsdcUnits: usdcUnits(-1n) },
    { leverageBps: leverageBps(2n ** 32n) },
    { originationFeeBps: rateBps(65536n) },
    { signatureExpiry: 2n ** 256n },
    { chainId: 1.5 },
  ];
  test.each(wrong.map((change, index) => [index, change] as const))('case %i throws RangeError', (_, change) => {
    expect(() => createPositionDigest({ ...fields, ...change })).toThrow(RangeError);
  });
});
