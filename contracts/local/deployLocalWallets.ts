import type { Address } from 'viem';
import { compileContracts } from './compilation/compileContracts.ts';
import { readArtifact } from './compilation/readArtifact.ts';
import { deployOne } from './deployLocal.ts';
import { localRoles } from './localAccounts.ts';
import { LocalRpc } from './localRpc.ts';

/** Contracts of deposit wallets on the local chain. */
export interface LocalWallets {
  readonly walletFactory: Address;
  readonly walletBeacon: Address;
}

/**
 * Deploy the contracts of deposit wallets: factory, beacon and the code behind it. The venue's operator deploys wallets
 * and brings batches. A local stack has none of them unless a program calls this.
 */
export async function deployLocalWallets(parameters: { readonly rpcUrl: string }): Promise<LocalWallets> {
  await compileContracts();
  const rpc = new LocalRpc(parameters.rpcUrl);
  const { owner, venueOperator } = localRoles();
  const code = await deployOne(rpc, owner, { artifact: readArtifact('TwinDepositWallet'), args: [] });
  const walletBeacon = await deployOne(rpc, owner, { artifact: readArtifact('TwinWalletBeacon'), args: [code] });
  const walletFactory = await deployOne(rpc, owner, {
    artifact: readArtifact('TwinWalletFactory'),
    args: [walletBeacon, venueOperator.address],
  });
  return { walletFactory, walletBeacon };
}
