import { concat, encodeAbiParameters, encodePacked, type Hex, hexToBigInt, keccak256, size, slice, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

/** Row of `digest.vectors.json`; whole numbers as decimal text, because JSON numbers lose digits. */
export interface DigestVector {
  readonly positionSeed: Hex;
  readonly user: Hex;
  readonly venueMarketId: Hex;
  readonly venueTokenId: string;
  readonly collateralUsdcUnits: string;
  readonly leverageBps: string;
  readonly notionalUsdcUnits: string;
  readonly originationFeeBps: string;
  readonly lifetimeFeeAprBps: string;
  readonly liquidationFeeBps: string;
  readonly signatureExpiry: string;
  readonly chainId: string;
  readonly vault: Hex;
  /** Packed bytes, 273 of them. */
  readonly packed: Hex;
  readonly digest: Hex;
  readonly signer: Hex;
  readonly signature: Hex;
  readonly positionKey: Hex;
}

const vectorCount = 64;

/**
 * Compute the shared vectors with a generic encoder and a generic signer only, independent of the code under test. The
 * first rows are the edges of every type, the rest a fixed pseudo-random stream.
 */
export async function digestVectors(): Promise<readonly DigestVector[]> {
  const rows: DigestVector[] = [];
  for (let index = 0; index < vectorCount; index += 1) rows.push(await digestVectorOf(index));
  return rows;
}

async function digestVectorOf(index: number): Promise<DigestVector> {
  const bytes = (name: string, byteLength: number): Hex => {
    if (index === 0) return `0x${'00'.repeat(byteLength)}`;
    if (index === 1) return `0x${'ff'.repeat(byteLength)}`;
    return slice(keccak256(toHex(`${name} ${index}`)), 0, byteLength);
  };
  const whole = (name: string, byteLength: number) => hexToBigInt(bytes(name, byteLength));
  // A chain id is a safe integer on this side of the wire.
  const chainId = index < 2 ? BigInt(index === 0 ? 0 : Number.MAX_SAFE_INTEGER) : whole('chain', 4);
  const fields = {
    positionSeed: bytes('seed', 16),
    user: bytes('user', 20),
    venueMarketId: bytes('market', 32),
    venueTokenId: whole('token', 32),
    collateralUsdcUnits: whole('collateral', index % 2 === 0 ? 6 : 32),
    leverageBps: whole('leverage', 4),
    notionalUsdcUnits: whole('notional', index % 2 === 0 ? 7 : 32),
    originationFeeBps: whole('origination', 2),
    lifetimeFeeAprBps: whole('lifetime', 2),
    liquidationFeeBps: whole('liquidation', 2),
    signatureExpiry: whole('expiry', index % 2 === 0 ? 5 : 32),
    chainId,
    vault: bytes('vault', 20),
  };
  const packed = packedOf(fields);
  if (size(packed) !== 273) throw new Error('a packed quote has 273 bytes');
  const account = privateKeyToAccount(keccak256(toHex(`quote signer ${index}`)));
  const digest = keccak256(packed);
  return {
    ...(Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, typeof value === 'bigint' ? value.toString() : value]),
    ) as Omit<DigestVector, 'packed' | 'digest' | 'signer' | 'signature' | 'positionKey'>),
    packed,
    digest,
    signer: account.address,
    signature: await account.signMessage({ message: { raw: digest } }),
    positionKey: keccak256(
      encodeAbiParameters(
        [{ type: 'uint256' }, { type: 'address' }, { type: 'address' }, { type: 'bytes12' }],
        [chainId, fields.vault, fields.user, slice(fields.positionSeed, 0, 12)],
      ),
    ),
  };
}

interface ReferenceFields {
  readonly positionSeed: Hex;
  readonly user: Hex;
  readonly venueMarketId: Hex;
  readonly venueTokenId: bigint;
  readonly collateralUsdcUnits: bigint;
  readonly leverageBps: bigint;
  readonly notionalUsdcUnits: bigint;
  readonly originationFeeBps: bigint;
  readonly lifetimeFeeAprBps: bigint;
  readonly liquidationFeeBps: bigint;
  readonly signatureExpiry: bigint;
  readonly chainId: bigint;
  readonly vault: Hex;
}

/** Pack the 14 values with the generic encoder, in the order of the specification's table. */
export function packedOf(fields: ReferenceFields): Hex {
  return concat([
    encodePacked(['string'], ['CREATE_POSITION']),
    encodePacked(['bytes16'], [fields.positionSeed]),
    encodePacked(['address'], [fields.user]),
    encodePacked(['bytes32'], [fields.venueMarketId]),
    encodePacked(['uint256'], [fields.venueTokenId]),
    encodePacked(['uint256'], [fields.collateralUsdcUnits]),
    encodePacked(['uint32'], [Number(fields.leverageBps)]),
    encodePacked(['uint256'], [fields.notionalUsdcUnits]),
    encodePacked(['uint16'], [Number(fields.originationFeeBps)]),
    encodePacked(['uint16'], [Number(fields.lifetimeFeeAprBps)]),
    encodePacked(['uint16'], [Number(fields.liquidationFeeBps)]),
    encodePacked(['uint256'], [fields.signatureExpiry]),
    encodePacked(['uint256'], [fields.chainId]),
    encodePacked(['address'], [fields.vault]),
  ]);
}
