import { errorNameOf } from '@core/vault';
import { BaseError, createPublicClient, encodeFunctionData, erc20Abi, http, isHex } from 'viem';
import type { ContractCall, Hex, Wallet } from './wallet.ts';

/** USDC that a call takes: the spender needs the caller's allowance. */
export interface Payment {
  readonly token: Hex;
  readonly spender: Hex;
  readonly units: bigint;
}

export interface Sender {
  readonly wallet: Wallet;
  readonly address: Hex;
  readonly rpcUrl: string;
}

/** The chain refused, or would refuse; the contract's own error, or null where it names none. */
class RefusedByChainError extends Error {
  override readonly name = 'RefusedByChainError';

  constructor(reason: string | null) {
    super(`The chain refuses this call: ${reason ?? 'it says no reason'}.`);
  }
}

export const chainReaderOf = (rpcUrl: string) =>
  createPublicClient({ transport: http(rpcUrl, { retryCount: 1 }), pollingInterval: 500 });

/** Gives the allowances a call needs, one transaction each, and waits for them. @throws with too little USDC. */
export async function approve(sender: Sender, payments: readonly Payment[]): Promise<void> {
  const { wallet, address, rpcUrl } = sender;
  const reader = chainReaderOf(rpcUrl);
  for (const { token, spender, units } of payments) {
    const usdc = { address: token, abi: erc20Abi } as const;
    const have = await reader.readContract({ ...usdc, functionName: 'balanceOf', args: [address] });
    if (have < units) {
      throw new Error(`This needs ${usdcText(units)} USDC and the wallet has ${usdcText(have)}.`);
    }
    const allowed = await reader.readContract({ ...usdc, functionName: 'allowance', args: [address, spender] });
    if (allowed >= units) continue;
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, units] });
    await receiptOf(sender, await wallet.send(address, { to: token, data }));
  }
}

const usdcText = (units: bigint): string => {
  const digits = units.toString().padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
};

/** Tries the call first, so that a refusal costs nothing, then has the wallet send it; the hash. */
export async function send({ wallet, address, rpcUrl }: Sender, call: ContractCall): Promise<Hex> {
  try {
    await chainReaderOf(rpcUrl).call({ account: address, ...call });
  } catch (cause) {
    const reason = reasonOf(cause);
    if (reason === undefined) throw cause;
    throw new RefusedByChainError(reason);
  }
  return wallet.send(address, call);
}

/** Waits until the transaction is in a block. @throws RefusedByChainError when it failed there. */
export async function receiptOf({ rpcUrl }: Pick<Sender, 'rpcUrl'>, hash: Hex): Promise<void> {
  const { status } = await chainReaderOf(rpcUrl).waitForTransactionReceipt({ hash });
  if (status !== 'success') throw new RefusedByChainError(null);
}

/** The contract's error behind a failed call; null for a revert without one, undefined when it was no revert. */
function reasonOf(cause: unknown): string | null | undefined {
  if (!(cause instanceof BaseError)) return undefined;
  const found = cause.walk((error) => 'data' in Object(error));
  const data: unknown = found === null ? undefined : Reflect.get(found, 'data');
  if (isHex(data)) return errorNameOf(data);
  return cause.walk((error) => Reflect.get(Object(error), 'name') === 'ExecutionRevertedError') === null
    ? undefined
    : null;
}
