import { pricePips, rateBps, raw } from '@core/pricing';
import { Purpose } from '@core/vault';
import { anyUint16, anyUint32, anyUint256, hexBytes } from '@core/vault/testing/arbitraries.ts';
import * as fc from 'fast-check';
import { toHex, zeroHash } from 'viem';
import { expect, test } from 'vitest';
import { jointAttestationOf } from './jointAttestation.ts';
import { jointGrantOf } from './jointGrant.ts';

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

test('jointAttestationOf: as strict as each attestation, and as old as the older one', () => {
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

test('jointAttestationOf: null for attestations of different orders', () => {
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

test('jointGrantOf: as strict as each grant, and null for another position, size or path', () => {
  const positionKey = toHex(1n, { size: 32 });
  const anyGrant = fc
    .tuple(anyAttestation, fc.bigInt(0n, 2n ** 32n))
    .map(([attestation, notAfter]) => ({ ...attestation, positionKey, mostUnits: 7n, validFor: 12, notAfter }));
  fc.assert(
    fc.property(anyGrant, anyGrant, (left, other) => {
      const right = { ...other, purpose: left.purpose };
      const joint = jointGrantOf(left, right);
      expect(joint).toEqual(jointGrantOf(right, left));
      const earliest = left.notAfter < right.notAfter ? left.notAfter : right.notAfter;
      expect(joint).toMatchObject({
        ...jointAttestationOf(left, right),
        mostUnits: 7n,
        validFor: 12,
        notAfter: earliest,
      });
      for (const change of [{ positionKey: zeroHash }, { mostUnits: 8n }, { validFor: 13 }, { tokenId: 8n }]) {
        expect(jointGrantOf(left, { ...right, ...change })).toBeNull();
      }
    }),
  );
});
