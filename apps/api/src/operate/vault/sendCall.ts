import { FriendlyError } from '@core/runtime';
import { explainRevert } from '@core/vault';
import {
  type Address,
  BaseError,
  type Hex,
  isHex,
  type PublicClient,
  WaitForTransactionReceiptTimeoutError,
  type WalletClient,
} from 'viem';

/** Vault with an optional key that signs its transactions. */
export interface OperatedVault {
  readonly client: PublicClient;
  readonly vault: Address;
  /** Wallet with the key of a role; null prints the calls for another wallet instead. */
  readonly wallet: WalletClient | null;
}

/** Call of a contract, with the role that may send it. */
export interface OperatedCall {
  readonly by: string;
  readonly to: Address;
  readonly data: Hex;
}

const receiptTimeoutMs = 120_000;

/**
 * Simulate a call, send it with the key and await its block for at most two minutes. Without a key the call is returned
 * for the timelock or wallet with the role.
 * @throws FriendlyError with the contract's error when it reverts, and with the hash when no block has it in time.
 */
export async function sendCall({ client, wallet }: OperatedVault, call: OperatedCall): Promise<object> {
  const { by, to, data } = call;
  const account = wallet?.account;
  if (wallet === null || account === undefined) return { by, to, data };
  const transaction = { account, to, data, chain: null };
  await client.call(transaction).catch((error: unknown) => {
    throw refusalOf(error, by);
  });
  const hash = await wallet.sendTransaction(transaction);
  const { status } = await client
    .waitForTransactionReceipt({ hash, timeout: receiptTimeoutMs })
    .catch((cause: unknown) => {
      if (!(cause instanceof WaitForTransactionReceiptTimeoutError)) throw cause;
      throw new FriendlyError(`no block has ${hash} after ${receiptTimeoutMs / 1_000} s: look for it before a repeat`);
    });
  if (status === 'reverted') throw new FriendlyError(`${hash} reverted: another transaction came first; run it again`);
  return { by: account.address, to, transaction: hash, status };
}

/** Return the named revert of a contract as FriendlyError; any other error unchanged. */
function refusalOf(error: unknown, by: string): unknown {
  const text = revertTextOf(error);
  return text === null ? error : new FriendlyError(`the contract reverted: ${text} (a call of ${by})`);
}

/** Return name, values and meaning of the revert of a contract; null for any other error. */
export function revertTextOf(error: unknown): string | null {
  const data = revertDataOf(error);
  if (data === null) return null;
  const explained = explainRevert(data);
  if (explained === null) return data;
  return `${explained.name}(${explained.args.map(String).join(', ')}). ${explained.sentence}`.trim();
}

function revertDataOf(error: unknown): Hex | null {
  if (!(error instanceof BaseError)) return null;
  const cause = error.walk((each) => each instanceof Error && 'data' in each && isHex(each.data));
  return cause !== null && 'data' in cause && isHex(cause.data) ? cause.data : null;
}
