import { WrongChainError } from './chainErrors.ts';
import { quantityOf, type RpcRequest } from './rpc.ts';
import type { Wallet } from './wallet.ts';

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
