import { type Address, concat, type Hex, hashDomain, hashStruct, hexToBytes } from 'viem';
import type { OrderDomain } from '../profile/venueProfile.ts';

/** One call that a deposit wallet makes. */
export interface WalletCall {
  readonly target: Address;
  /** Native currency sent along, wei. */
  readonly value: bigint;
  readonly data: Hex;
}

/** Calls that the owner of a deposit wallet signs together. */
export interface WalletBatch {
  readonly wallet: Address;
  readonly nonce: bigint;
  /** Last second in which the chain executes it, Unix time. */
  readonly deadline: bigint;
  readonly calls: readonly WalletCall[];
}

const types = {
  EIP712Domain: [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ],
  Batch: [
    { name: 'wallet', type: 'address' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
    { name: 'calls', type: 'Call[]' },
  ],
  Call: [
    { name: 'target', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'data', type: 'bytes' },
  ],
} as const;

/**
 * Return the EIP-712 message of a batch, whose hash the owner of the wallet signs.
 * @param domain Name and version of a wallet, and its chain.
 */
export function walletBatchMessageOf(
  batch: WalletBatch,
  { name, version, chainId }: OrderDomain & { readonly chainId: number },
): Uint8Array {
  const domain = { name, version, chainId: BigInt(chainId), verifyingContract: batch.wallet };
  const data = { ...batch, calls: [...batch.calls] };
  return hexToBytes(
    concat(['0x1901', hashDomain({ domain, types }), hashStruct({ data, primaryType: 'Batch', types })]),
  );
}
