import { type Hex, hashTypedData, hexToBigInt, keccak256, slice, toHex } from 'viem';

/** Attestation of `typedData.vectors.json` for chain 31337; whole numbers as decimal text. */
export interface AttestationVector {
  readonly vault: Hex;
  readonly marketId: Hex;
  readonly tokenId: string;
  readonly purpose: string;
  readonly markPips: string;
  readonly limitPips: string;
  readonly triggerPips: string;
  readonly venueFeeBps: string;
  readonly exitBufferBps: string;
  readonly observedAt: string;
  readonly hash: Hex;
}

/** Chain id of the local chain, which Solidity tests read as `block.chainid`. */
export const vectorChainId = 31337;
const vectorCount = 16;

const attestationType = [
  ['bytes32', 'marketId'],
  ['uint256', 'tokenId'],
  ['uint8', 'purpose'],
  ['uint32', 'markPips'],
  ['uint32', 'limitPips'],
  ['uint32', 'triggerPips'],
  ['uint16', 'venueFeeBps'],
  ['uint16', 'exitBufferBps'],
  ['uint64', 'observedAt'],
] as const;

/** Build the shared vectors of the attestation hash: the edges of every type, then a fixed pseudo-random stream. */
export function attestationVectors(): readonly AttestationVector[] {
  return Array.from({ length: vectorCount }, (_, index) => {
    const bytes = (name: string, byteLength: number): Hex => {
      if (index === 0) return `0x${'00'.repeat(byteLength)}`;
      if (index === 1) return `0x${'ff'.repeat(byteLength)}`;
      return slice(keccak256(toHex(`attestation ${name} ${index}`)), 0, byteLength);
    };
    const whole = (name: string, byteLength: number) => hexToBigInt(bytes(name, byteLength));
    const vault = bytes('vault', 20);
    const message = {
      marketId: bytes('market', 32),
      tokenId: whole('token', 32),
      purpose: BigInt(index % 5),
      markPips: whole('mark', 4),
      limitPips: whole('limit', 4),
      triggerPips: whole('trigger', 4),
      venueFeeBps: whole('fee', 2),
      exitBufferBps: whole('buffer', 2),
      observedAt: whole('observed', 8),
    };
    const hash = hashTypedData({
      domain: { name: 'Vault', version: '1', chainId: vectorChainId, verifyingContract: vault },
      types: { PriceAttestation: attestationType.map(([type, name]) => ({ type, name })) },
      primaryType: 'PriceAttestation',
      message,
    });
    const texts = Object.fromEntries(Object.entries(message).map(([name, value]) => [name, value.toString()])) as Omit<
      AttestationVector,
      'vault' | 'hash'
    >;
    return { vault, ...texts, hash };
  });
}
