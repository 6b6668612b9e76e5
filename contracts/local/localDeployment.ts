import type { Address } from 'viem';
import type { LocalRoles } from './localAccounts.ts';
import type { VaultLibraries } from './vaultLibraries.ts';

/** Addresses of everything deployed on the local chain. */
export interface LocalContracts {
  readonly vault: Address;
  readonly pool: Address;
  readonly libraries: VaultLibraries;
  readonly accountImplementation: Address;
  /** Contract that fills opening grants of the vault with pairs. */
  readonly pairFiller: Address;
  readonly usdc: Address;
  readonly conditionalTokens: Address;
  readonly exchange: Address;
  readonly positionManager: Address;
  readonly positionRouter: Address;
  readonly oracleAggregator: Address;
  /** Module of binary conditions of the PositionManager. */
  readonly binaryModule: Address;
}

/** Contracts of the second ledger that a vault is deployed with. */
export type LocalLedger = Pick<LocalContracts, 'positionManager' | 'positionRouter' | 'oracleAggregator'>;

/** Facts of the chain that the other programs of the local stack need. */
export interface LocalDeployment {
  readonly chainId: number;
  /** First block an indexer has to read. */
  readonly deploymentBlock: bigint;
  readonly contracts: LocalContracts;
  /** EIP-712 name and version of the local exchange. */
  readonly venueDomain: { readonly name: string; readonly version: string };
  readonly roles: LocalRoles;
}
