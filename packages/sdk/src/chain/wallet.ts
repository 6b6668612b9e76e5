import { InputError } from '../errors/inputError.ts';
import { isAddress } from './contracts.ts';
import type { ChainReader } from './rpc.ts';

/** Bytes as hex with `0x`. */
type Hex = `0x${string}`;

/** Contract call that any wallet can send. */
export interface Transaction {
  readonly to: Hex;
  readonly data: Hex;
  /** Native coin in its smallest unit; always zero. */
  readonly value: string;
}

/** Signer: a viem wallet client with an account, or an EIP-1193 provider with the account to use. */
export interface Wallet extends ChainReader {
  readonly account?: { readonly address: string } | undefined;
  /** Configured chain of a viem client. */
  readonly chain?: { readonly id: number } | undefined;
  sendTransaction?(transaction: Pick<Transaction, 'to' | 'data'>): Promise<string>;
}

/**
 * Return the address that signs.
 *
 * @throws InputError for a wallet without one.
 */
export function accountOf(wallet: Wallet): string {
  const address: unknown = wallet.account?.address;
  if (isAddress(address)) return address;
  throw new InputError(
    'wallet.account',
    wallet.account,
    'The wallet has no account. Give one as `account: { address }`.',
  );
}

/**
 * Send a transaction without coin through the wallet. It includes the chain, so that a wallet that has switched its
 * chain since the check refuses.
 *
 * @param terms Gas limit, and ID of the chain.
 * @returns Hash of the transaction.
 */
export async function sendWith(
  wallet: Wallet,
  { to, data }: Transaction,
  { gas, chainId }: { readonly gas: bigint; readonly chainId: number },
): Promise<string> {
  const from = accountOf(wallet);
  if (wallet.sendTransaction !== undefined) {
    const { account, chain = { id: chainId, name: `chain ${chainId}` } } = wallet;
    const transaction = { account, to, data, gas, chain };
    return wallet.sendTransaction(transaction);
  }
  const call = { from, to, data, gas: hexOf(gas), chainId: hexOf(BigInt(chainId)) };
  return String(await wallet.request({ method: 'eth_sendTransaction', params: [call] }));
}

/** Format a quantity as nodes do. */
export const hexOf = (number: bigint): string => `0x${number.toString(16)}`;

/** Return true for the hash of a transaction. */
export const isHash = (value: unknown): value is string => typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value);
