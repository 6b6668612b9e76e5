import { raw } from '@core/pricing';
import * as fc from 'fast-check';
import { keccak256, toHex } from 'viem';
import { expect, test } from 'vitest';
import { anyCreatePositionFields } from '../../testing/arbitraries.ts';
import { packedOf } from '../../testing/digestVectors.ts';
import { createPositionByteLength, createPositionDigest, packCreatePosition } from './createPositionDigest.ts';
import { createPositionFieldNames } from './verifyQuote.ts';

test('the packed bytes equal those of a generic encoder', () => {
  fc.assert(
    fc.property(anyCreatePositionFields, (fields) => {
      const packed = packCreatePosition(fields);
      expect(packed).toHaveLength(createPositionByteLength);
      const reference = packedOf({
        ...fields,
        collateralUsdcUnits: raw(fields.collateralUsdcUnits),
        leverageBps: raw(fields.leverageBps),
        notionalUsdcUnits: raw(fields.notionalUsdcUnits),
        originationFeeBps: raw(fields.originationFeeBps),
        lifetimeFeeAprBps: raw(fields.lifetimeFeeAprBps),
        liquidationFeeBps: raw(fields.liquidationFeeBps),
        chainId: BigInt(fields.chainId),
      });
      expect(toHex(packed)).toBe(reference);
      expect(createPositionDigest(fields)).toBe(keccak256(reference));
    }),
    { numRuns: 300 },
  );
});

test('replacing any value by that of another quote changes the digest unless the values are equal', () => {
  fc.assert(
    fc.property(anyCreatePositionFields, anyCreatePositionFields, (fields, other) => {
      const digest = createPositionDigest(fields);
      for (const name of createPositionFieldNames) {
        const changed = { ...fields, [name]: other[name] };
        expect(createPositionDigest(changed) === digest).toBe(fields[name] === other[name]);
      }
    }),
  );
});

test('the case of hexadecimal digits does not matter', () => {
  fc.assert(
    fc.property(anyCreatePositionFields, (fields) => {
      const upper = (text: `0x${string}`) => `0x${text.slice(2).toUpperCase()}` as const;
      const shouted = { ...fields, user: upper(fields.user), positionSeed: upper(fields.positionSeed) };
      expect(createPositionDigest(shouted)).toBe(createPositionDigest(fields));
    }),
  );
});
