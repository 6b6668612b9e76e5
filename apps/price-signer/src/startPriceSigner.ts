import { observedSigner } from '@core/keys';
import type { VenueMarket } from '@core/market';
import { type PolicyConfig, policyDefaults } from '@core/policy';
import {
  type ChainClientOptions,
  type ChainNodes,
  chainClientOf,
  connectChain,
  defaultMaxHeadAgeMs,
  type EndedRequest,
  healthOf,
  openClock,
  presentNodes,
  watchNodes,
} from '@core/runtime';
import { type PositionContracts, Role, readManagedContracts, type Signer, vaultAbi } from '@core/vault';
import {
  HttpVenueClient,
  MarketWatch,
  openReferenceFeeds,
  type ReferenceSource,
  RequestBudget,
  type VenueProfile,
  type WatchTiming,
} from '@core/venue';
import type { Logger } from 'pino';
import type { Address, PublicClient } from 'viem';
import { attest } from './attestation/attest.ts';
import { countersign } from './attestation/countersign.ts';
import { countersignGrant, grant } from './attestation/grant.ts';
import { countersignGrantBatch, grantBatch } from './attestation/grantBatch.ts';
import { grantEnder } from './attestation/grantEnder.ts';
import { GrantWatch } from './attestation/grantWatch.ts';
import { OwingHistory } from './attestation/owingHistory.ts';
import { PositionReader } from './attestation/positionReader.ts';
import { CatalogueFollower } from './feed/catalogueFollower.ts';
import { ChainReach } from './feed/chainReach.ts';
import { followMids, MidHistory } from './feed/midHistory.ts';
import { startAttestationServer } from './http/attestationServer.ts';
import { signerMetrics } from './http/signerMetrics.ts';

export interface PriceSignerOptions extends ChainNodes {
  /** Interface of the server; loopback when absent. */
  readonly host?: string;
  /** 0 takes a free port. */
  readonly port: number;
  readonly bearerSecret: string;
  /** Key that signs attestations. */
  readonly signer: Signer;
  /** True to end grants whose mark left their price path, with transactions of the same key; false when absent. */
  readonly isEndingGrants?: boolean;
  readonly chainId: number;
  readonly vault: Address;
  /** Origin of the venue's books. */
  readonly venueUrl: string;
  /** Origin of markets and events; `venueUrl` when absent. */
  readonly catalogueUrl?: string;
  /** Origin of holders; `venueUrl` when absent. */
  readonly dataUrl?: string;
  /** List of the catalogue that is read first; the old one when absent. */
  readonly catalogueList?: VenueProfile['catalogueList'];
  /** Limits of the venue; none when absent. */
  readonly venueLimits?: VenueProfile['limits'];
  /** Source of spot prices and games; HTTP at `venueUrl` when absent. */
  readonly reference?: ReferenceSource;
  /** Rule of crypto markets whose texts state none that is known; null when absent. */
  readonly unstatedSettlement?: VenueProfile['unstatedSettlement'];
  /** `ws://…/ws/market`. */
  readonly marketSocketUrl: string;
  /** Origin of the simulator whose clock is followed; the system clock when absent. */
  readonly clockUrl?: string;
  readonly logger: Logger;
  readonly config?: PolicyConfig;
  readonly catalogueIntervalMs?: number;
  /** Oldest last block of a chain that moves, on the service clock; 20 s by default. */
  readonly maxHeadAgeMs?: number;
  readonly watchTiming?: Partial<WatchTiming>;
}

export interface PriceSigner {
  readonly url: string;
  readonly address: Address;
  close(): Promise<void>;
}

const defaultCatalogueIntervalMs = 5_000;
/** A slower read is abandoned and retried, because the keeper waits for the attestation. */
const readTimeoutMs = 2_000;
const readAttempts = 2;
/** Time between two checks of the live grants: a block, or two. */
const grantCheckIntervalMs = 500;

/**
 * Start the price signer, with its own feed, its own view of the chain and its own key.
 * @throws Fault when the chain does not answer or has another id.
 * @throws Error when the vault has not appointed the key as a price signer: every signature would be refused.
 */
export async function startPriceSigner(options: PriceSignerOptions): Promise<PriceSigner> {
  const { logger, config = policyDefaults } = options;
  const metrics = signerMetrics();
  const key = observedSigner(options.signer, metrics.shared.onSignature);
  const { reading, client, contracts } = await openVault(options, key.address);
  watchNodes(metrics.registry, reading.health);
  const clock = await openClock(options.clockUrl ?? null);
  const { venueUrl } = options;
  const venue = venueClientOf(options, metrics.shared.onVenueRequest);
  const onLost = (feed: string, err?: unknown): void => logger.warn({ err, feed }, 'reference feed failed');
  const reference = openReferenceFeeds(options.reference ?? { kind: 'http', url: venueUrl }, { clock, onLost });
  const watch = new MarketWatch({
    client: venue,
    marketSocketUrl: options.marketSocketUrl,
    clock,
    reference,
    config,
    ...(options.watchTiming === undefined ? {} : { timing: options.watchTiming }),
  });
  const mids = new MidHistory(config.attestation.maxConfirmationSpanMs);
  const stopMids = followMids(watch, mids);
  const intervalMs = options.catalogueIntervalMs ?? defaultCatalogueIntervalMs;
  const onUnwatched = ({ tokenIds }: VenueMarket): void => {
    for (const tokenId of tokenIds === null ? [] : [tokenIds.yes, tokenIds.no]) mids.forget(tokenId);
  };
  const hasManaged = contracts.positionManager !== null;
  const follower = new CatalogueFollower({ client: venue, watch, hasManaged, onUnwatched, logger, intervalMs });
  await follower.start();

  const owing = new OwingHistory(client, options.vault);
  const positions = new PositionReader(client, contracts);
  const readMarket = (conditionId: string): Promise<void> => follower.readMarket(conditionId);
  const { grants, stop: stopGrants } = watchGrants(options, { reading, client, watch, config });
  const feeds = { watch, readMarket, mids, owing, grants, positions };
  const dependencies = { client, chainId: options.chainId, contracts, key, clock, config, ...feeds };
  const { maxHeadAgeMs = defaultMaxHeadAgeMs } = options;
  const chainReach = await ChainReach.open({ client, clock, maxHeadAgeMs });
  metrics.watch({ chainAgeMs: () => chainReach.ageMs, headAgeMs: () => chainReach.head.headAgeMs });
  const server = await startAttestationServer({
    ...(options.host === undefined ? {} : { host: options.host }),
    port: options.port,
    bearerSecret: options.bearerSecret,
    address: key.address,
    attest: (request) => attest(dependencies, request),
    countersign: (asked) => countersign(dependencies, asked),
    grant: (request) => grant(dependencies, request),
    countersignGrant: (asked) => countersignGrant(dependencies, asked),
    grantBatch: (request) => grantBatch(dependencies, request),
    countersignGrantBatch: (asked) => countersignGrantBatch(dependencies, asked),
    isReady: () => follower.isCurrent && hasLiveBook(watch) && chainReach.isReached,
    nodes: () => presentNodes(reading.health),
    metrics,
    logger,
  });
  logger.info({ url: server.url, address: key.address, implementation: key.implementation }, 'price signer ready');
  return {
    url: server.url,
    address: key.address,
    close: async () => {
      stopGrants();
      await server.close();
      chainReach.close();
      stopMids();
      follower.close();
      watch.close();
      reference.close();
      clock.close();
    },
  };
}

function venueClientOf(options: PriceSignerOptions, onEnd: (request: EndedRequest) => void): HttpVenueClient {
  const { venueUrl, catalogueUrl = venueUrl, dataUrl = venueUrl } = options;
  return new HttpVenueClient({
    url: venueUrl,
    catalogueUrl,
    dataUrl,
    catalogueList: options.catalogueList ?? 'offset',
    parse: { unstatedSettlement: options.unstatedSettlement ?? null },
    timeoutMs: readTimeoutMs,
    retry: { maxAttempts: readAttempts },
    budget: new RequestBudget(options.venueLimits ?? []),
    onEnd,
  });
}

/** Start the checks of signed grants, if the signer ends them; without checks nothing is kept. */
function watchGrants(
  options: PriceSignerOptions,
  {
    reading,
    client,
    watch,
    config,
  }: {
    readonly reading: ChainClientOptions;
    readonly client: PublicClient;
    readonly watch: MarketWatch;
    readonly config: PolicyConfig;
  },
): { readonly grants: Pick<GrantWatch, 'record'>; readonly stop: () => void } {
  if (options.isEndingGrants !== true) return { grants: { record: () => undefined }, stop: () => undefined };
  const grants = new GrantWatch({
    client,
    vault: options.vault,
    snapshotOf: (conditionId) => watch.snapshotOf(conditionId),
    now: () => performance.now(),
    config,
    ender: grantEnder({ ...options, client: chainClientOf({ ...reading, retryCount: 0 }) }),
    logger: options.logger,
  });
  const checking = setInterval(() => void grants.check(), grantCheckIntervalMs);
  return { grants, stop: () => clearInterval(checking) };
}

/** Return false when every watched book is missing or stale: the feed is frozen and nothing can be attested. */
function hasLiveBook(watch: MarketWatch): boolean {
  const { marketCount, staleMarketCount } = watch.health();
  return marketCount === 0 || staleMarketCount < marketCount;
}

/** Connect to the nodes and check the role of the key. */
async function openVault(options: PriceSignerOptions, signer: Address) {
  const { rpcUrl, fallbackRpcUrls = [], chainId } = options;
  const reading = { rpcUrl, fallbackRpcUrls, health: healthOf(options), timeoutMs: readTimeoutMs };
  const client = await connectChain({ ...reading, chainId, isBatched: true });
  return { reading, client, contracts: await checkVault(client, options, signer) };
}

/** Check the role of the key. Return the contracts that the vault works with. */
async function checkVault(
  client: PublicClient,
  options: PriceSignerOptions,
  signer: Address,
): Promise<PositionContracts> {
  const { vault } = options;
  const at = { address: vault, abi: vaultAbi } as const;
  const isSigner = await client.readContract({ ...at, functionName: 'hasRole', args: [Role.PriceSigner, signer] });
  if (!isSigner) throw new Error(`the vault has not appointed ${signer} as a price signer`);
  const [conditionalTokens, exchange, { positionManager }] = await Promise.all([
    client.readContract({ ...at, functionName: 'conditionalTokens' }),
    client.readContract({ ...at, functionName: 'exchange' }),
    readManagedContracts(client, vault),
  ]);
  return { vault, conditionalTokens, exchange, positionManager };
}
