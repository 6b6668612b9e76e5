import { leverageBps, pricePips, rateBps, tokenUnits, usdcUnits } from '@core/pricing';
import {
  accountAddressOf,
  type CreatePositionFields,
  createPositionDigest,
  type GrantAttestation,
  type GrantBatch,
  hashGrantAttestation,
  hashGrantBatch,
  hashPriceAttestation,
  hashVenueOrder,
  type PriceAttestation,
  positionKeyOf,
  purposeNameOf,
  purposeOf,
  toAttestationStruct,
  toCreateRequestStruct,
  toGrantAttestationStruct,
  toGrantBatchStruct,
  toVenueOrderStruct,
  type VenueOrder,
} from '@core/vault';
import { getAddress } from 'viem';
import type { LocalDeployment } from '../../local/index.ts';
import type { SeededRandom } from './seededRandom.ts';

/** A batch of vectors of one kind: the arguments of one call, and the answers TypeScript expects. */
export interface HashBatch {
  readonly functionName: string;
  readonly args: readonly unknown[];
  /** In the order of the contract's answers; several returned lists follow each other. */
  readonly answers: readonly string[];
}

export type HashVectors = (random: SeededRandom, count: number, deployment: LocalDeployment) => HashBatch;

export const hashVectors: Readonly<Record<string, HashVectors>> = {
  'quote digest': quoteDigests,
  'position key and account address': positions,
  'venue order hash': orderHashes,
  'attestation hash': attestationHashes,
  'grant attestation hash': grantAttestationHashes,
  'grant batch hash': grantBatchHashes,
};

function anyAddress(random: SeededRandom) {
  return getAddress(random.bytes(20));
}

function many<T>(count: number, make: () => T): readonly T[] {
  return Array.from({ length: count }, make);
}

function anyFields(random: SeededRandom): CreatePositionFields {
  return {
    positionSeed: random.bytes(16),
    user: anyAddress(random),
    venueMarketId: random.bytes(32),
    venueTokenId: random.upTo(256),
    collateralUsdcUnits: usdcUnits(random.upTo(256)),
    leverageBps: leverageBps(random.upTo(32)),
    notionalUsdcUnits: usdcUnits(random.upTo(256)),
    originationFeeBps: rateBps(random.upTo(16)),
    lifetimeFeeAprBps: rateBps(random.upTo(16)),
    liquidationFeeBps: rateBps(random.upTo(16)),
    signatureExpiry: random.upTo(256),
    chainId: Number(random.upTo(53)),
    vault: anyAddress(random),
  };
}

function quoteDigests(random: SeededRandom, count: number): HashBatch {
  const quotes = many(count, () => anyFields(random));
  // The user's own four values must not reach the digest.
  const requests = quotes.map((fields) =>
    toCreateRequestStruct(fields, {
      venueFeeUsdcUnits: usdcUnits(random.upTo(256)),
      minPositionTokenUnits: tokenUnits(random.upTo(256)),
      maxLiquidationPricePips: pricePips(random.upTo(32)),
      minFillBps: rateBps(random.upTo(16)),
    }),
  );
  return {
    functionName: 'quoteDigests',
    args: [
      requests,
      quotes.map(({ user }) => user),
      quotes.map(({ chainId }) => BigInt(chainId)),
      quotes.map(({ vault }) => vault),
    ],
    answers: quotes.map((fields) => createPositionDigest(fields)),
  };
}

function positions(random: SeededRandom, count: number, { chainId, contracts }: LocalDeployment): HashBatch {
  const { vault, accountImplementation } = contracts;
  const users = many(count, () => anyAddress(random));
  const seeds = many(count, () => random.bytes(16));
  const keys = users.map((user, index) => positionKeyOf({ chainId, vault, user, positionSeed: seeds[index] ?? '0x' }));
  const accounts = keys.map((positionKey) => accountAddressOf({ vault, accountImplementation, positionKey }));
  return { functionName: 'positions', args: [vault, users, seeds], answers: [...keys, ...accounts] };
}

function orderHashes(random: SeededRandom, count: number, deployment: LocalDeployment): HashBatch {
  const { chainId, contracts, venueDomain } = deployment;
  const orders = many(count, () => anyOrder(random));
  const domain = { ...venueDomain, chainId, exchange: contracts.exchange };
  return {
    functionName: 'orderHashes',
    // The signature must not reach the hash.
    args: [contracts.exchange, orders.map((order) => toVenueOrderStruct(order, random.bytes(65)))],
    answers: orders.map((order) => hashVenueOrder(order, domain)),
  };
}

function anyOrder(random: SeededRandom): VenueOrder {
  return {
    salt: random.upTo(256),
    maker: anyAddress(random),
    signer: anyAddress(random),
    tokenId: random.upTo(256),
    makerAmount: random.upTo(256),
    takerAmount: random.upTo(256),
    side: random.oneOf(0, 1),
    signatureType: random.oneOf(0, 3),
    timestamp: random.upTo(256),
    metadata: random.bytes(32),
    builder: random.bytes(32),
  };
}

function attestationHashes(random: SeededRandom, count: number, { chainId }: LocalDeployment): HashBatch {
  const attestations = many(count, () => anyAttestation(random));
  const vaults = many(count, () => anyAddress(random));
  return {
    functionName: 'attestationHashes',
    args: [attestations.map(toAttestationStruct), vaults],
    answers: attestations.map((attestation, index) =>
      hashPriceAttestation(attestation, { chainId, vault: vaults[index] ?? '0x' }),
    ),
  };
}

function grantAttestationHashes(random: SeededRandom, count: number, { chainId }: LocalDeployment): HashBatch {
  const attestations = many(count, () => anyGrantAttestation(random));
  const vaults = many(count, () => anyAddress(random));
  return {
    functionName: 'grantAttestationHashes',
    args: [attestations.map(toGrantAttestationStruct), vaults],
    answers: attestations.map((attestation, index) =>
      hashGrantAttestation(attestation, { chainId, vault: vaults[index] ?? '0x' }),
    ),
  };
}

function anyGrantAttestation(random: SeededRandom): GrantAttestation {
  return {
    ...anyAttestation(random),
    positionKey: random.bytes(32),
    mostUnits: random.upTo(64),
    validFor: Number(random.upTo(16)),
    notAfter: random.upTo(64),
  };
}

function grantBatchHashes(random: SeededRandom, count: number, { chainId }: LocalDeployment): HashBatch {
  const batches = many(count, () => anyGrantBatch(random));
  const vaults = many(count, () => anyAddress(random));
  return {
    functionName: 'grantBatchHashes',
    args: [batches.map(toGrantBatchStruct), vaults],
    answers: batches.map((batch, index) => hashGrantBatch(batch, { chainId, vault: vaults[index] ?? '0x' })),
  };
}

function anyGrantBatch(random: SeededRandom): GrantBatch {
  const { marketId, tokenId, purpose, markPips, observedAt } = anyAttestation(random);
  return {
    marketId,
    tokenId,
    purpose,
    markPips,
    observedAt,
    validFor: Number(random.upTo(16)),
    notAfter: random.upTo(64),
    members: many(Number(random.between(0n, 3n)), () => ({
      positionKey: random.bytes(32),
      mostUnits: random.upTo(64),
      limitPips: pricePips(random.upTo(32)),
      triggerPips: pricePips(random.upTo(32)),
      venueFeeBps: rateBps(random.upTo(16)),
    })),
  };
}

function anyAttestation(random: SeededRandom): PriceAttestation {
  return {
    marketId: random.bytes(32),
    tokenId: random.upTo(256),
    purpose: purposeOf(purposeNameOf(Number(random.between(0n, 4n)))),
    markPips: pricePips(random.upTo(32)),
    limitPips: pricePips(random.upTo(32)),
    triggerPips: pricePips(random.upTo(32)),
    venueFeeBps: rateBps(random.upTo(16)),
    exitBufferBps: rateBps(random.upTo(16)),
    observedAt: random.upTo(64),
  };
}
