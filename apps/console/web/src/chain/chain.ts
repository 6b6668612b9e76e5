import { sendCall } from '@core/sdk';
import { errorNameOf } from '@core/vault';
import { BaseError, createPublicClient, encodeFunctionData, erc20Abi, http, isHex } from 'viem';
import { isBatching } from './batchingNodes.ts';
import { loadWallet } from './loadWallet.ts';
import type { ContractCall, Hex, Sender } from './wallet.ts';

/** USDC that a call transfers: the spender needs the caller's allowance. */
export interface Payment {
  readonly token: Hex;
  readonly spender: Hex;
  readonly units: bigint;
}

/** Error of a call that reverts, with the contract's error name; null where it has none. */
class RefusedByChainError extends Error {
  override readonly name = 'RefusedByChainError';

  constructor(reason: string | null) {
    super(`The chain rejects this call: ${reason ?? 'no reason given'}.`);
  }
}

/** Calls in one request. */
const batchSize = 40;

export const chainReaderOf = (rpcUrl: string, retryCount = 1) =>
  createPublicClient({
    transport: http(rpcUrl, { retryCount, batch: isBatching(rpcUrl) ? { batchSize } : false }),
    pollingInterval: 500,
  });

/** Approve the allowances a call needs, one transaction each, and wait for them. @throws with too little USDC. */
async function approve(sender: Sender, payments: readonly Payment[]): Promise<void> {
  const reader = chainReaderOf(sender.rpcUrl);
  for (const { token, spender, units } of payments) {
    const usdc = { address: token, abi: erc20Abi } as const;
    const have = await reader.readContract({ ...usdc, functionName: 'balanceOf', args: [sender.address] });
    if (have < units) {
      throw new Error(`This needs ${usdcText(units)} USDC and the wallet has ${usdcText(have)}.`);
    }
    const args = [sender.address, spender] as const;
    if ((await reader.readContract({ ...usdc, functionName: 'allowance', args })) >= units) continue;
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, units] });
    await deliver(sender, { to: token, data });
  }
}

/** Send a call and wait until it is in a block, also when the wallet answers with an error after it has sent. */
async function deliver(sender: Sender, call: ContractCall): Promise<void> {
  const { sdkWalletOf } = await loadWallet();
  await sendCall(sdkWalletOf(sender), { ...call, chainId: sender.chainId });
}

const usdcText = (units: bigint): string => {
  const digits = units.toString().padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
};

/** Approve the payments of a call and simulate it, so that a revert costs nothing. Send it, and wait for its block. */
export async function send(sender: Sender, call: ContractCall, payments: readonly Payment[] = []): Promise<void> {
  await approve(sender, payments);
  try {
    await chainReaderOf(sender.rpcUrl).call({ account: sender.address, ...call });
  } catch (cause) {
    const reason = reasonOf(cause);
    if (reason === undefined) throw cause;
    throw new RefusedByChainError(reason);
  }
  await deliver(sender, call);
}

/** Wait until the transaction is in a block. @throws RefusedByChainError when it reverted. */
export async function receiptOf({ rpcUrl }: Pick<Sender, 'rpcUrl'>, hash: Hex): Promise<void> {
  const { status } = await chainReaderOf(rpcUrl).waitForTransactionReceipt({ hash });
  if (status !== 'success') throw new RefusedByChainError(null);
}

/** Return the contract's error of a failed call; null for a revert without one, undefined for any other failure. */
function reasonOf(cause: unknown): string | null | undefined {
  if (!(cause instanceof BaseError)) return undefined;
  const dataError = cause.walk((error) => 'data' in Object(error));
  const data: unknown = dataError === null ? undefined : Reflect.get(dataError, 'data');
  if (isHex(data)) return errorNameOf(data);
  return cause.walk((error) => Reflect.get(Object(error), 'name') === 'ExecutionRevertedError') === null
    ? undefined
    : null;
}
