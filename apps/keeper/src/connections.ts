import type { AttestationSource } from '@core/attestation';
import type { PolicyConfig, Route } from '@core/policy';
import type { Clock, Finality, KeeperReport, NodeHealth } from '@core/runtime';
import type { Store } from '@core/store';
import type { OptionalManagedContracts, VenueDomain } from '@core/vault';
import type { VenueClient } from '@core/venue';
import type { Logger } from 'pino';
import type { Address, PublicClient } from 'viem';
import type { LastHead } from './indexer/chainSource.ts';
import type { FillWatch } from './indexer/fillWatch.ts';
import type { MarkFeed } from './liquidation/debtWatch.ts';
import type { TaskHealth } from './runner/health.ts';
import type { KeeperMetrics } from './runner/keeperMetrics.ts';
import type { MarketShares } from './runner/marketShares.ts';
import type { Wake } from './runner/wake.ts';
import type { OwnRole } from './signers/probePriceSigners.ts';
import type { Intents } from './transactions/intents.ts';
import type { TransactionSender } from './transactions/transactionSender.ts';
import type { VenueBreaker } from './transactions/venueBreaker.ts';
import type { VenueOrders } from './transactions/venueOrders.ts';

/** Contracts that the settings name. */
export interface NamedContracts {
  readonly vault: Address;
  readonly pool: Address;
  readonly exchange: Address;
  readonly conditionalTokens: Address;
  readonly usdc: Address;
}

/** Addresses the keeper reads and writes. The vault names those of its second ledger. */
export interface KeeperContracts extends NamedContracts, Omit<OptionalManagedContracts, 'positionRouter'> {}

/** Chain of the keeper, and its key in the store. */
export interface KeeperChain {
  readonly client: PublicClient;
  /** Single nodes, for reads that must not mix their answers. */
  readonly nodes: readonly PublicClient[];
  /** Order in which the nodes are tried, shared by all clients of the keeper. */
  readonly health: NodeHealth;
  readonly chainId: number;
  readonly chainKey: string;
  readonly contracts: KeeperContracts;
  readonly deploymentBlock: bigint;
  readonly finality: Finality;
  /** Time for which blocks have been final before they are read a second time. */
  readonly rescanDelayMs: number;
  /** Called when the chain has a new head. */
  readonly newHead: Wake;
  readonly lastHead: LastHead;
}

/** Connections of one keeper. Only the lists of tasks take them apart. */
export interface KeeperConnections {
  readonly chain: KeeperChain;
  readonly store: Store;
  readonly intents: Intents;
  /** Market shares of this process. */
  readonly shares: MarketShares;
  readonly sender: TransactionSender;
  readonly orders: VenueOrders;
  readonly breaker: VenueBreaker;
  readonly venue: VenueClient;
  /** Set the listener for the hash of an order that the venue reports as changed. */
  readonly onVenueOrder: (listener: (orderHash: string) => void) => void;
  readonly venueDomain: VenueDomain;
  readonly marks: MarkFeed;
  /** Role of the account as the vault last showed it. */
  readonly role: OwnRole;
  readonly priceSigners: readonly { readonly name: string; readonly source: AttestationSource }[];
  readonly oracles: readonly Address[];
  readonly policy: PolicyConfig;
  readonly route: Route;
  readonly fills: FillWatch;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: KeeperMetrics;
  /** Health of the tasks of this process. */
  readonly health: () => readonly TaskHealth[];
  /** State of the chain as this process observes it, for the heartbeat. */
  readonly chainReport?: () => KeeperReport['chain'];
}
