import { LevError } from '../errors/levError.ts';
import { quantityOf, type RpcRequest } from './rpc.ts';
import type { Wallet } from './wallet.ts';

/** Error of a wallet on another chain than the vault. Nothing was signed. */
export class WrongChainError extends LevError {
  override readonly name = 'WrongChainError';
  /** Chain ID of the vault; `have` is that of the wallet. */
  readonly need: number;
  readonly have: number;

  constructor(need: number, have: number) {
    super('wrong_chain', `the wallet is on chain ${have}: switch it to chain ${need}`);
    this.need = need;
    this.have = have;
  }
}

/**
 * Read the chain ID of a node or wallet.
 *
 * @throws NetworkError for an answer that is no number.
 */
export async function chainIdOf(request: RpcRequest): Promise<number> {
  return Number(quantityOf(await request('eth_chainId', []), 'eth_chainId'));
}

/**
 * Compare the chain of a wallet, and the one it was configured for, with the vault's.
 *
 * @throws WrongChainError.
 */
export async function checkChain(wallet: Wallet, request: RpcRequest, need: number): Promise<void> {
  const have = await chainIdOf(request);
  for (const chainId of [have, wallet.chain?.id ?? have]) {
    if (chainId !== need) throw new WrongChainError(need, chainId);
  }
}
