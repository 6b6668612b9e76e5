import { readFileSync } from 'node:fs';
import { pricePips, rateBps } from '@core/pricing';
import * as fc from 'fast-check';
import { concat, encodeAbiParameters, type Hex, hashTypedData, keccak256, recoverTypedDataAddress, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { anyAddress, anyPrivateKey, anyUint16, anyUint32, anyUint256, hexBytes } from '../../testing/arbitraries.ts';
import { type AttestationVector, attestationVectors, vectorChainId } from '../../testing/typedDataVectors.ts';
import { Purpose } from '../generated/enums.ts';
import { hashVenueOrder, toVenueOrderStruct, type VenueOrder } from '../order/venueOrder.ts';
import { SigningKey } from '../signing/signingKey.ts';
import {
  grantAttestationTypedData,
  hashGrantAttestation,
  signGrantAttestation,
  toGrantAttestationStruct,
} from './grantAttestation.ts';
import {
  type GrantBatch,
  grantBatchTypedData,
  hashGrantBatch,
  signGrantBatch,
  toGrantBatchStruct,
} from './grantBatch.ts';
import {
  hashPriceAttestation,
  type PriceAttestation,
  priceAttestationTypedData,
  signPriceAttestation,
  toAttestationStruct,
} from './priceAttestation.ts';

const anyAttestation = fc.record({
  marketId: hexBytes(32),
  tokenId: anyUint256,
  purpose: fc.constantFrom(...Object.values(Purpose)),
  markPips: anyUint32.map(pricePips),
  limitPips: anyUint32.map(pricePips),
  triggerPips: anyUint32.map(pricePips),
  venueFeeBps: anyUint16.map(rateBps),
  exitBufferBps: anyUint16.map(rateBps),
  observedAt: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
});

const anyGrantAttestation = fc
  .tuple(
    hexBytes(32),
    anyAttestation,
    fc.record({
      mostUnits: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      validFor: fc.integer({ min: 0, max: 2 ** 16 - 1 }),
      notAfter: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    }),
  )
  .map(([positionKey, attestation, grant]) => ({ positionKey, ...attestation, ...grant }));

const anyMember = fc.record({
  positionKey: hexBytes(32),
  mostUnits: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  limitPips: anyUint32.map(pricePips),
  triggerPips: anyUint32.map(pricePips),
  venueFeeBps: anyUint16.map(rateBps),
});
const anyBatch: fc.Arbitrary<GrantBatch> = fc.record({
  marketId: hexBytes(32),
  tokenId: anyUint256,
  purpose: fc.constantFrom(...Object.values(Purpose)),
  markPips: anyUint32.map(pricePips),
  observedAt: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  validFor: fc.integer({ min: 0, max: 2 ** 16 - 1 }),
  notAfter: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  members: fc.array(anyMember, { maxLength: 32 }),
});

const domainType = 'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)';
const attestationType =
  'PriceAttestation(bytes32 marketId,uint256 tokenId,uint8 purpose,uint32 markPips,uint32 limitPips,uint32 triggerPips,uint16 venueFeeBps,uint16 exitBufferBps,uint64 observedAt)';
const grantAttestationType =
  'GrantAttestation(bytes32 positionKey,bytes32 marketId,uint256 tokenId,uint8 purpose,uint32 markPips,uint32 limitPips,uint32 triggerPips,uint16 venueFeeBps,uint16 exitBufferBps,uint64 observedAt,uint64 mostUnits,uint16 validFor,uint64 notAfter)';
const grantMemberType =
  'GrantMember(bytes32 positionKey,uint64 mostUnits,uint32 limitPips,uint32 triggerPips,uint16 venueFeeBps)';
const grantBatchType =
  'GrantBatch(bytes32 marketId,uint256 tokenId,uint8 purpose,uint32 markPips,uint64 observedAt,uint16 validFor,uint64 notAfter,GrantMember[] members)';
const orderType =
  'Order(uint256 salt,address maker,address signer,uint256 tokenId,uint256 makerAmount,uint256 takerAmount,uint8 side,uint8 signatureType,uint256 timestamp,bytes32 metadata,bytes32 builder)';

const word = (value: Hex | bigint): Hex =>
  typeof value === 'bigint' ? toHex(value, { size: 32 }) : `0x${value.slice(2).padStart(64, '0')}`;

/** Hash of a struct from its type text alone. */
const structHash = (type: string, words: readonly (Hex | bigint)[]): Hex =>
  keccak256(concat([keccak256(toHex(type)), ...words.map(word)]));

/** Compute the EIP-712 hash from the type text alone: every member here is one 32-byte word. */
function typedHash(
  domain: readonly [string, string, number, Hex],
  type: string,
  words: readonly (Hex | bigint)[],
): Hex {
  const [name, version, chainId, contract] = domain;
  const separator = keccak256(
    encodeAbiParameters(
      [{ type: 'bytes32' }, { type: 'bytes32' }, { type: 'bytes32' }, { type: 'uint256' }, { type: 'address' }],
      [keccak256(toHex(domainType)), keccak256(toHex(name)), keccak256(toHex(version)), BigInt(chainId), contract],
    ),
  );
  return keccak256(concat(['0x1901', separator, structHash(type, words)]));
}

test('attestation: the hash follows the protocol and the signature belongs to the price signer', async () => {
  await fc.assert(
    fc.asyncProperty(anyPrivateKey, anyAttestation, anyAddress, async (privateKey, attestation, vault) => {
      const domain = { chainId: 137, vault };
      const hash = hashPriceAttestation(attestation, domain);
      const words = Object.values(toAttestationStruct(attestation)).map((value) => BigInt(value));
      expect(hash).toBe(typedHash(['Vault', '1', 137, vault], attestationType, words));
      const key = new SigningKey(privateKey);
      const result = await signPriceAttestation(key, attestation, domain);
      expect(result.hash).toBe(hash);
      const typedData = priceAttestationTypedData(attestation, domain);
      expect(result.signature).toBe(await privateKeyToAccount(privateKey).signTypedData(typedData));
      expect(await recoverTypedDataAddress({ ...typedData, signature: result.signature })).toBe(key.address);
    }),
    { numRuns: 25 },
  );
});

test('grant attestation: the hash follows the protocol, is no price attestation, and the signature is the signer', async () => {
  await fc.assert(
    fc.asyncProperty(anyPrivateKey, anyGrantAttestation, anyAddress, async (privateKey, attestation, vault) => {
      const domain = { chainId: 137, vault };
      const words = Object.values(toGrantAttestationStruct(attestation)).map((value) => BigInt(value));
      const key = new SigningKey(privateKey);
      const { hash, signature } = await signGrantAttestation(key, attestation, domain);
      expect(hash).toBe(typedHash(['Vault', '1', 137, vault], grantAttestationType, words));
      expect(hash).toBe(hashGrantAttestation(attestation, domain));
      expect(hash).not.toBe(hashPriceAttestation(attestation, domain));
      const typedData = grantAttestationTypedData(attestation, domain);
      expect(await recoverTypedDataAddress({ ...typedData, signature })).toBe(key.address);
    }),
    { numRuns: 25 },
  );
});

test('grant batch: the hash follows the protocol, is that of viem, and the signature is the signer', async () => {
  await fc.assert(
    fc.asyncProperty(anyPrivateKey, anyBatch, anyAddress, async (privateKey, batch, vault) => {
      const domain = { chainId: 137, vault };
      const { members, ...struct } = toGrantBatchStruct(batch);
      const hashes = members.map((member) =>
        structHash(
          grantMemberType,
          Object.values(member).map((value) => BigInt(value)),
        ),
      );
      const words = [...Object.values(struct).map((value) => BigInt(value)), keccak256(concat(hashes))];
      const key = new SigningKey(privateKey);
      const { hash, signature } = await signGrantBatch(key, batch, domain);
      expect(hash).toBe(typedHash(['Vault', '1', 137, vault], `${grantBatchType}${grantMemberType}`, words));
      expect(hash).toBe(hashGrantBatch(batch, domain));
      const typedData = grantBatchTypedData(batch, domain);
      expect(hash).toBe(hashTypedData(typedData));
      expect(await recoverTypedDataAddress({ ...typedData, signature })).toBe(key.address);
    }),
    { numRuns: 25 },
  );
});

test('grant batch: hashing throws for a member with a value that does not fit its type', () => {
  const [batch] = fc.sample(anyBatch, 1);
  const [member] = fc.sample(anyMember, 1);
  if (batch === undefined || member === undefined) throw new Error('nothing was drawn');
  const domain = { chainId: 137, vault: `0x${'1'.repeat(40)}` } as const;
  for (const change of [
    { mostUnits: 2n ** 64n },
    { limitPips: pricePips(2n ** 32n) },
    { positionKey: '0x12' },
  ] as const) {
    const members = [...batch.members, { ...member, ...change }];
    expect(() => hashGrantBatch({ ...batch, members }, domain)).toThrow(RangeError);
  }
});

test('attestation: hashing throws for a value that does not fit its type', () => {
  const [sample] = fc.sample(anyAttestation, 1);
  const domain = { chainId: 137, vault: `0x${'1'.repeat(40)}` } as const;
  const wrong = [
    { markPips: pricePips(2n ** 32n) },
    { venueFeeBps: rateBps(2n ** 16n) },
    { observedAt: -1n },
    { marketId: '0x12' },
  ] as const;
  for (const change of wrong) {
    expect(() => hashPriceAttestation({ ...sample, ...change } as PriceAttestation, domain)).toThrow(RangeError);
  }
});

const anyOrder: fc.Arbitrary<VenueOrder> = fc.record({
  salt: anyUint256,
  maker: anyAddress,
  signer: anyAddress,
  tokenId: anyUint256,
  makerAmount: anyUint256,
  takerAmount: anyUint256,
  side: fc.constantFrom(0 as const, 1 as const),
  signatureType: fc.integer({ min: 0, max: 3 }),
  timestamp: anyUint256,
  metadata: hexBytes(32),
  builder: hexBytes(32),
});

test("venue order: the hash follows the venue's document and excludes the signature", () => {
  fc.assert(
    fc.property(anyOrder, anyAddress, (order, exchange) => {
      const domain = { name: 'Exchange', version: '2', chainId: 137, exchange };
      const words = Object.values(order).map((value) => (typeof value === 'number' ? BigInt(value) : value));
      const hash = hashVenueOrder(order, domain);
      expect(hash).toBe(typedHash(['Exchange', '2', 137, exchange], orderType, words as (Hex | bigint)[]));
      expect(hashVenueOrder(toVenueOrderStruct(order, '0x1234'), domain)).toBe(hash);
    }),
    { numRuns: 50 },
  );
});

test('attestation vectors: the committed file is the generated one, and hashes match', () => {
  const file = new URL('../../testing/typedData.vectors.json', import.meta.url);
  const { attestations } = JSON.parse(readFileSync(file, 'utf8')) as { attestations: AttestationVector[] };
  expect(attestations).toEqual(attestationVectors());
  for (const vector of attestations) {
    const attestation = {
      marketId: vector.marketId,
      tokenId: BigInt(vector.tokenId),
      purpose: Number(vector.purpose) as Purpose,
      markPips: pricePips(BigInt(vector.markPips)),
      limitPips: pricePips(BigInt(vector.limitPips)),
      triggerPips: pricePips(BigInt(vector.triggerPips)),
      venueFeeBps: rateBps(BigInt(vector.venueFeeBps)),
      exitBufferBps: rateBps(BigInt(vector.exitBufferBps)),
      observedAt: BigInt(vector.observedAt),
    };
    expect(hashPriceAttestation(attestation, { chainId: vectorChainId, vault: vector.vault })).toBe(vector.hash);
  }
});
