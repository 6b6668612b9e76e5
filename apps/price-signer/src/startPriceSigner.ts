import { type PolicyConfig, policyDefaults } from '@core/policy';
import { SigningKey, vaultAbi } from '@core/vault';
import {
  followedClock,
  HttpReferenceFeeds,
  HttpVenueClient,
  MarketWatch,
  systemClock,
  type WatchTiming,
} from '@core/venue';
import type { Logger } from 'pino';
import { type Address, createPublicClient, type Hex, http, type PublicClient } from 'viem';
import { attest, followMids } from './attest.ts';
import { startAttestationServer } from './attestationServer.ts';
import { CatalogueFollower } from './catalogueFollower.ts';
import { MidHistory } from './midHistory.ts';
import { signerMetrics } from './signerMetrics.ts';

export interface PriceSignerOptions {
  /** 0 takes a free port; the server binds 127.0.0.1. */
  readonly port: number;
  readonly bearerSecret: string;
  readonly privateKey: Hex;
  readonly rpcUrl: string;
  readonly chainId: number;
  readonly vault: Address;
  readonly venueUrl: string;
  /** Origin of spot prices and games; `venueUrl` when absent. */
  readonly referenceUrl?: string;
  /** `ws://…/ws/market`. */
  readonly marketSocketUrl: string;
  /** Origin of the simulator whose clock is followed; the system clock when absent. */
  readonly clockUrl?: string;
  readonly logger: Logger;
  readonly config?: PolicyConfig;
  readonly catalogueIntervalMs?: number;
  readonly watchTiming?: Partial<WatchTiming>;
}

export interface PriceSigner {
  readonly url: string;
  readonly address: Address;
  close(): Promise<void>;
}

const defaultCatalogueIntervalMs = 5_000;
/** The keeper waits for an attestation: a read that takes longer is given up and asked again. */
const readTimeoutMs = 2_000;
const readAttempts = 2;

/**
 * Starts the price signer: its own feed, its own view of the chain, its own key.
 *
 * @throws Error when the chain is another one, or the vault does not know the key as a price signer: better no signer
 * than one whose every signature is refused.
 */
export async function startPriceSigner(options: PriceSignerOptions): Promise<PriceSigner> {
  const { logger, config = policyDefaults } = options;
  const key = new SigningKey(options.privateKey);
  const client = createPublicClient({ transport: http(options.rpcUrl, { timeout: readTimeoutMs }), cacheTime: 0 });
  const conditionalTokens = await checkVault(client, options, key.address);
  const followed = options.clockUrl === undefined ? null : await followedClock({ url: options.clockUrl });
  const clock = followed ?? systemClock;
  const venue = new HttpVenueClient({
    url: options.venueUrl,
    timeoutMs: readTimeoutMs,
    retry: { maxAttempts: readAttempts },
  });
  const reference = new HttpReferenceFeeds({ url: options.referenceUrl ?? options.venueUrl, clock });
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
  const follower = new CatalogueFollower({ client: venue, watch, logger, intervalMs });
  await follower.start();

  const domain = { chainId: options.chainId, vault: options.vault };
  const server = await startAttestationServer({
    port: options.port,
    bearerSecret: options.bearerSecret,
    attest: (request) => attest({ client, domain, conditionalTokens, key, watch, mids, clock, config }, request),
    isReady: () => follower.hasRead && hasLiveBook(watch),
    metrics: signerMetrics(),
    logger,
  });
  logger.info({ url: server.url, address: key.address, implementation: key.implementation }, 'price signer ready');
  return {
    url: server.url,
    address: key.address,
    close: async () => {
      await server.close();
      stopMids();
      follower.close();
      watch.close();
      reference.close();
      followed?.close();
    },
  };
}

/** False when every watched book is missing or stale: the feed is frozen and nothing can be attested. */
function hasLiveBook(watch: MarketWatch): boolean {
  const { marketCount, staleMarketCount } = watch.health();
  return marketCount === 0 || staleMarketCount < marketCount;
}

/** Chain and role are right, or nothing starts. Returns the ConditionalTokens the vault settles with. */
async function checkVault(client: PublicClient, options: PriceSignerOptions, signer: Address): Promise<Address> {
  const chainId = await client.getChainId();
  if (chainId !== options.chainId) throw new Error(`the chain is ${chainId}, not ${options.chainId}`);
  const at = { address: options.vault, abi: vaultAbi } as const;
  const priceSignerRole = 2;
  const isSigner = await client.readContract({ ...at, functionName: 'hasRole', args: [priceSignerRole, signer] });
  if (!isSigner) throw new Error(`the vault does not know ${signer} as a price signer`);
  return client.readContract({ ...at, functionName: 'conditionalTokens' });
}
