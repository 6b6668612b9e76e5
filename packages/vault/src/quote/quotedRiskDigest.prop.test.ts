import { leverageBps, pricePips, raw } from '@core/pricing';
import * as fc from 'fast-check';
import { encodeAbiParameters, keccak256, parseAbiParameters } from 'viem';
import { expect, test } from 'vitest';
import { anyAddress, anyPrivateKey, anyUint32, hexBytes } from '../../testing/arbitraries.ts';
import { SigningKey } from '../signing/signingKey.ts';
import { type QuotedRiskFields, quotedRiskDigest } from './quotedRiskDigest.ts';
import { QuoteSigner } from './quoteSigner.ts';
import { recoverQuoteSigner } from './recoverQuoteSigner.ts';

const anyRungs = fc.array(fc.record({ trigger: anyUint32, target: anyUint32 }), { maxLength: 3 }).map((rungs) =>
  rungs.map(({ trigger, target }, index) => ({
    rung: index + 1,
    triggerPricePips: pricePips(trigger),
    targetLeverageBps: leverageBps(target),
  })),
);
const anyFields: fc.Arbitrary<QuotedRiskFields> = fc.record({
  positionKey: hexBytes(32),
  exitSeconds: fc.integer({ min: 0, max: 0xffffffff }),
  plannedUnwinds: anyRungs,
  chainId: fc.nat(),
  vault: anyAddress,
});

test('the digest is the hash of the generic encoding', () => {
  const types = parseAbiParameters('string, bytes32, uint32, uint32[], uint32[], uint256, address');
  fc.assert(
    fc.property(anyFields, (fields) => {
      const { positionKey, exitSeconds, plannedUnwinds, chainId, vault } = fields;
      const triggers = plannedUnwinds.map(({ triggerPricePips }) => Number(raw(triggerPricePips)));
      const targets = plannedUnwinds.map(({ targetLeverageBps }) => Number(raw(targetLeverageBps)));
      const values = ['QUOTED_RISK', positionKey, exitSeconds, triggers, targets, BigInt(chainId), vault] as const;
      expect(quotedRiskDigest(fields)).toBe(keccak256(encodeAbiParameters(types, values)));
    }),
    { numRuns: 300 },
  );
});

test('a value out of its type throws RangeError', () => {
  fc.assert(
    fc.property(anyFields, fc.constantFrom(-1, 0.5, 2 ** 32), (fields, exitSeconds) => {
      expect(() => quotedRiskDigest({ ...fields, exitSeconds })).toThrow(RangeError);
    }),
  );
});

test('two quotes have one digest only when all signed values are equal', () => {
  const names = ['positionKey', 'exitSeconds', 'plannedUnwinds', 'chainId', 'vault'] as const;
  fc.assert(
    fc.property(anyFields, anyFields, fc.constantFrom(...names), (fields, other, name) => {
      const isEqual = JSON.stringify(fields[name], bigints) === JSON.stringify(other[name], bigints);
      expect(quotedRiskDigest({ ...fields, [name]: other[name] }) === quotedRiskDigest(fields)).toBe(isEqual);
    }),
  );
});

test('the signature recovers to the quote signer', async () => {
  await fc.assert(
    fc.asyncProperty(anyFields, anyPrivateKey, async (fields, privateKey) => {
      const signer = new QuoteSigner(new SigningKey(privateKey));
      const digest = quotedRiskDigest(fields);
      expect(await recoverQuoteSigner({ digest, signature: await signer.signDigest(digest) })).toBe(signer.address);
    }),
    { numRuns: 20 },
  );
});

const bigints = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value);
