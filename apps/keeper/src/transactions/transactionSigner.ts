import { SigningKey } from '@core/vault';
import { type Address, type Hex, hexToBytes, keccak256, parseSignature, serializeTransaction } from 'viem';
import type { TransactionFees } from './transactionFees.ts';

/** A call as one transaction of the chain. */
export interface UnsignedTransaction extends TransactionFees {
  readonly chainId: number;
  readonly to: Address;
  readonly data: Hex;
  readonly gas: bigint;
  readonly nonce: number;
}

/** What signs the keeper's transactions. */
export interface TransactionSigner {
  readonly address: Address;
  /** The raw transaction: the same bytes for the same call. */
  sign(transaction: UnsignedTransaction): Hex;
}

/** Signs on the native library: every debt that is due waits for the signatures of those before it. */
export function transactionSignerOf(privateKey: Hex): TransactionSigner {
  const key = new SigningKey(privateKey);
  return {
    address: key.address,
    sign({ maxFeePerGasWei, maxPriorityFeeWei, ...call }) {
      const fees = { maxFeePerGas: maxFeePerGasWei, maxPriorityFeePerGas: maxPriorityFeeWei };
      const transaction = { type: 'eip1559', ...call, ...fees } as const;
      const hash = keccak256(serializeTransaction(transaction));
      return serializeTransaction(transaction, parseSignature(key.signHash(hexToBytes(hash))));
    },
  };
}
