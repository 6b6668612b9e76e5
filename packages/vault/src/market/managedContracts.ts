import { type Address, type PublicClient, zeroAddress } from 'viem';
import { vaultAbi } from '../generated/vaultAbi.ts';

/** Contracts behind the outcomes of the venue's PositionManager. */
export interface ManagedContracts {
  readonly positionManager: Address;
  /** Contract that splits, merges and redeems its tokens. */
  readonly positionRouter: Address;
  /** Contract that holds the requests for results. */
  readonly oracleAggregator: Address;
}

/** Contracts of a vault that may have none of them. */
export type OptionalManagedContracts = { readonly [Name in keyof ManagedContracts]: Address | null };

/** Read those of a vault; null for each in a vault without that ledger. @throws the client's error */
export async function readManagedContracts(client: PublicClient, vault: Address): Promise<OptionalManagedContracts> {
  const addresses = await client.readContract({ address: vault, abi: vaultAbi, functionName: 'managedContracts' });
  const [positionManager = null, positionRouter = null, oracleAggregator = null] = addresses.map((address) =>
    address === zeroAddress ? null : address,
  );
  return { positionManager, positionRouter, oracleAggregator };
}
