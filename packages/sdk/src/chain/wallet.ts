import type { ChainReader } from './rpc.ts';

/** A call of a contract as any wallet can send it. */
export interface Transaction {
  readonly to: string;
  readonly data: string;
  /** Native coin in its smallest unit: none. */
  readonly value: string;
}

/**
 * What signs: a viem wallet client with an account, or an EIP-1193 provider together with the account it is to use.
 */
export interface Wallet extends ChainReader {
  readonly account?: { readonly address: string } | undefined;
  sendTransaction?(transaction: never): Promise<string>;
}

/** The address that signs. @throws TypeError for a wallet without one. */
export function accountOf(wallet: Wallet): string {
  if (wallet.account === undefined) throw new TypeError('the wallet has no account; give one as `account.address`');
  return wallet.account.address;
}

/** Hands a transaction, which sends no coin, to the wallet with the gas it may use; its hash. */
export async function sendWith(wallet: Wallet, { to, data }: Transaction, gas: bigint): Promise<string> {
  const from = accountOf(wallet);
  if (wallet.sendTransaction !== undefined) {
    const { account } = wallet;
    return wallet.sendTransaction({ account, to, data, gas, chain: null } as never);
  }
  const call = { from, to, data, gas: `0x${gas.toString(16)}` };
  return (await wallet.request({ method: 'eth_sendTransaction', params: [call] } as never)) as string;
}
