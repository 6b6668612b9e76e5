import type { PolicyConfig } from '@core/policy';
import type { Store } from '@core/store';
import type { VenueDomain } from '@core/vault';
import type { Clock, VenueClient } from '@core/venue';
import type { Logger } from 'pino';
import type { Address, PublicClient } from 'viem';
import type { DebtWatch } from './debt/debtWatch.ts';
import type { AttestationSource } from './effects/attestationSource.ts';
import type { Reach } from './effects/crashPoint.ts';
import type { TransactionLane } from './effects/transactionLane.ts';
import type { KeeperMetrics } from './http/keeperMetrics.ts';
import type { TaskHealth } from './loop.ts';
import type { SaleWaits } from './position/saleWaits.ts';

/** Addresses the keeper reads and writes. */
export interface KeeperContracts {
  readonly vault: Address;
  readonly pool: Address;
  readonly exchange: Address;
  readonly conditionalTokens: Address;
  readonly usdc: Address;
}

/**
 * Everything a task may touch. Tasks hold no state of their own: what they need to remember is in the store, and what is
 * kept here beside it may be forgotten at any moment.
 */
export interface KeeperPorts {
  readonly store: Store;
  readonly client: PublicClient;
  readonly venue: VenueClient;
  readonly attestations: AttestationSource;
  readonly lane: TransactionLane;
  readonly clock: Clock;
  readonly policy: PolicyConfig;
  readonly contracts: KeeperContracts;
  readonly venueDomain: VenueDomain;
  readonly chainId: number;
  /** Names this vault on this chain in the store. */
  readonly chainKey: string;
  readonly deploymentBlock: bigint;
  readonly finalityDepth: bigint;
  readonly oracles: readonly Address[];
  /** The keeper's account name at the venue. */
  readonly venueOwner: string;
  readonly reach: Reach;
  readonly debts: DebtWatch;
  readonly saleWaits: SaleWaits;
  readonly logger: Logger;
  readonly metrics: KeeperMetrics;
  /** How the tasks of this process are doing. */
  readonly health: () => readonly TaskHealth[];
}
