import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { isCanonicalSignature, SigningKey } from '@core/vault';
import * as fc from 'fast-check';
import { type Hex, hexToBytes, numberToHex, recoverAddress, toHex } from 'viem';
import { expect, test } from 'vitest';
import { derOf } from '../testing/holderServer.ts';
import { addressOfPoint, addressOfPublicKey } from './publicKeyAddress.ts';
import { numbersOfDer, numbersOfHex, recoveredSignature } from './recoveredSignature.ts';

const groupOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const anyNumber = fc.bigInt(1n, groupOrder - 1n);
const anyKey = anyNumber.map((key): Hex => numberToHex(key, { size: 32 }));
const anyHash = fc.uint8Array({ minLength: 32, maxLength: 32 });

test('DER signatures of OpenSSL are read as the same numbers', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
  fc.assert(
    fc.property(fc.uint8Array(), (data) => {
      const numbers = numbersOfDer(sign('sha256', data, privateKey));
      if (numbers === null) throw new Error('OpenSSL writes DER');
      const flat = Buffer.from(
        numberToHex(numbers.r, { size: 32 }).slice(2) + numberToHex(numbers.s, { size: 32 }).slice(2),
        'hex',
      );
      expect(verify('sha256', data, { key: publicKey, dsaEncoding: 'ieee-p1363' }, flat)).toBe(true);
    }),
  );
});

test('DER is read only as a whole: no cut, longer or other bytes', () => {
  fc.assert(
    fc.property(anyNumber, anyNumber, fc.nat(), (r, s, cut) => {
      const der = derOf({ r, s });
      expect(numbersOfDer(der)).toEqual({ r, s });
      expect(numbersOfDer(der.subarray(0, cut % der.length))).toBeNull();
      expect(numbersOfDer(Buffer.concat([der, Buffer.of(0)]))).toBeNull();
      expect(numbersOfDer(Buffer.from(der).fill(0x31, 0, 1))).toBeNull();
    }),
  );
  expect(numbersOfDer(new Uint8Array(0))).toBeNull();
  expect(numbersOfHex('0x12')).toBeNull();
});

test('either half of s gives the one canonical signature of the key', async () => {
  await fc.assert(
    fc.asyncProperty(anyKey, anyHash, fc.boolean(), async (privateKey, bytes, isHigh) => {
      const key = new SigningKey(privateKey);
      const ownSignature = key.signHash(bytes);
      const numbers = numbersOfHex(ownSignature);
      if (numbers === null) throw new Error('a signature has two numbers');
      const answer = isHigh ? { ...numbers, s: groupOrder - numbers.s } : numbers;
      const hash = toHex(bytes);
      const signature = recoveredSignature(answer, { hash, address: key.address });
      expect(signature).toBe(ownSignature);
      expect(isCanonicalSignature(ownSignature)).toBe(true);
      expect(await recoverAddress({ hash, signature: ownSignature })).toBe(key.address);
    }),
    { numRuns: 30 },
  );
});

test('numbers out of the group, another key and another hash give no signature', () => {
  const key = new SigningKey(`0x${'42'.repeat(32)}`);
  const hash = `0x${'07'.repeat(32)}` as const;
  const numbers = numbersOfHex(key.signHash(hexToBytes(hash)));
  if (numbers === null) throw new Error('a signature has two numbers');
  const claim = { hash, address: key.address };
  for (const wrong of [
    { ...numbers, r: 0n },
    { ...numbers, s: groupOrder },
    { r: 5n, s: 1n },
  ]) {
    expect(recoveredSignature(wrong, claim)).toBeNull();
  }
  expect(recoveredSignature(numbers, { ...claim, hash: `0x${'08'.repeat(32)}` })).toBeNull();
  const { address } = new SigningKey(`0x${'43'.repeat(32)}`);
  expect(recoveredSignature(numbers, { hash, address })).toBeNull();
});

test('only keys of the curve have an address', () => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  expect(addressOfPublicKey(publicKey.export({ format: 'der', type: 'spki' }))).toBeNull();
  expect(addressOfPoint('0x04')).toBeNull();
});
