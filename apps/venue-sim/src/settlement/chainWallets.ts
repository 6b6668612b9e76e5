import { depositWalletAbi, walletFactoryAbi } from '@core/vault';
import type { WalletBatch } from '@core/venue';
import { type Address, encodeFunctionData, type Hex, type PublicClient, pad } from 'viem';
import type { WalletChain } from '../credentials/walletRegistry.ts';
import type { TransactionSender } from './transactionSender.ts';

export interface ChainWalletsOptions {
  readonly client: PublicClient;
  /** Account that the factory accepts deployments and batches from. */
  readonly operator: Pick<TransactionSender, 'submit' | 'included'>;
  readonly walletFactory: Address;
}

/** Deposit wallets on the local chain. */
export class ChainWallets implements WalletChain {
  readonly #options: ChainWalletsOptions;

  constructor(options: ChainWalletsOptions) {
    this.#options = options;
  }

  async isDeployed(wallet: Address): Promise<boolean> {
    return (await this.#options.client.getCode({ address: wallet })) !== undefined;
  }

  async nonceOf(wallet: Address): Promise<bigint> {
    if (!(await this.isDeployed(wallet))) return 0n;
    return this.#options.client.readContract({ address: wallet, abi: depositWalletAbi, functionName: 'nonce' });
  }

  deploy(owner: Address): Promise<Hex> {
    const args = [[owner], [pad(owner)]] as const;
    return this.#submit(encodeFunctionData({ abi: walletFactoryAbi, functionName: 'deploy', args }));
  }

  execute(batch: WalletBatch, signature: Hex): Promise<Hex> {
    const args = [batch, signature] as const;
    return this.#submit(encodeFunctionData({ abi: walletFactoryAbi, functionName: 'execute', args }));
  }

  async isSuccess(transactionHash: Hex): Promise<boolean> {
    return (await this.#options.operator.included(transactionHash)).isSuccess;
  }

  #submit(data: Hex): Promise<Hex> {
    return this.#options.operator.submit(this.#options.walletFactory, data);
  }
}
