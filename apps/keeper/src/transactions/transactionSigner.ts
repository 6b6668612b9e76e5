import type { TransactionFees } from '@core/runtime';
import type { Signer } from '@core/vault';
import { type Address, type Hex, hexToBytes, parseSignature, serializeTransaction } from 'viem';

/** A call as one transaction of the chain. */
export interface UnsignedTransaction extends TransactionFees {
  readonly chainId: number;
  readonly to: Address;
  readonly data: Hex;
  readonly gas: bigint;
  readonly nonce: number;
}

/** Signer of the keeper's transactions. */
export interface TransactionSigner {
  readonly address: Address;
  /**
   * Return the raw transaction.
   * @throws Fault of the signer, retryable, when the holder of the key does not sign.
   */
  sign(transaction: UnsignedTransaction): Promise<Hex>;
}

/** Build a signer of transactions from the keeper's key. */
export function transactionSignerOf(key: Signer): TransactionSigner {
  return {
    address: key.address,
    async sign({ maxFeePerGasWei, maxPriorityFeeWei, ...call }) {
      const fees = { maxFeePerGas: maxFeePerGasWei, maxPriorityFeePerGas: maxPriorityFeeWei };
      const transaction = { type: 'eip1559', ...call, ...fees } as const;
      const signature = await key.signMessage(hexToBytes(serializeTransaction(transaction)));
      return serializeTransaction(transaction, parseSignature(signature));
    },
  };
}
