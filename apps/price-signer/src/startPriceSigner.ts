import { type PolicyConfig, policyDefaults } from '@core/policy';
import { connectChain, openClock } from '@core/runtime';
import { type PositionContracts, Role, SigningKey, vaultAbi } from '@core/vault';
import { HttpReferenceFeeds, HttpVenueClient, MarketWatch, type WatchTiming } from '@core/venue';
import type { Logger } from 'pino';
import type { Address, Hex, PublicClient } from 'viem';
import { attest } from './attestation/attest.ts';
import { countersign } from './attestation/countersign.ts';
import { OwingHistory } from './attestation/owingHistory.ts';
import { PositionReader } from './attestation/positionReader.ts';
import { CatalogueFollower } from './feed/catalogueFollower.ts';
import { followMids, MidHistory } from './feed/midHistory.ts';
import { startAttestationServer } from './http/attestationServer.ts';
import { signerMetrics } from './http/signerMetrics.ts';

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
 * @throws Fault when the chain does not answer or is another one. @throws Error when the vault does not know the key
 * as a price signer: better no signer than one whose every signature is refused.
 */
export async function startPriceSigner(options: PriceSignerOptions): Promise<PriceSigner> {
  const { logger, config = policyDefaults } = options;
  const key = new SigningKey(options.privateKey);
  const { rpcUrl, chainId } = options;
  const client = await connectChain({ rpcUrl, chainId, timeoutMs: readTimeoutMs, isBatched: true });
  const contracts = await checkVault(client, options, key.address);
  const clock = await openClock(options.clockUrl ?? null);
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

  const owing = new OwingHistory(client, options.vault);
  const positions = new PositionReader(client, contracts);
  const parts = { client, chainId, contracts, key, watch, mids, owing, positions, clock, config };
  const server = await startAttestationServer({
    port: options.port,
    bearerSecret: options.bearerSecret,
    address: key.address,
    attest: (request) => attest(parts, request),
    countersign: (asked) => countersign(parts, asked),
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
      clock.close();
    },
  };
}

/** False when every watched book is missing or stale: the feed is frozen and nothing can be attested. */
function hasLiveBook(watch: MarketWatch): boolean {
  const { marketCount, staleMarketCount } = watch.health();
  return marketCount === 0 || staleMarketCount < marketCount;
}

/** The role is right, or nothing starts. Returns the contracts that the vault works with. */
async function checkVault(
  client: PublicClient,
  options: PriceSignerOptions,
  signer: Address,
): Promise<PositionContracts> {
  const { vault } = options;
  const at = { address: vault, abi: vaultAbi } as const;
  const isSigner = await client.readContract({ ...at, functionName: 'hasRole', args: [Role.PriceSigner, signer] });
  if (!isSigner) throw new Error(`the vault does not know ${signer} as a price signer`);
  const [conditionalTokens, exchange] = await Promise.all([
    client.readContract({ ...at, functionName: 'conditionalTokens' }),
    client.readContract({ ...at, functionName: 'exchange' }),
  ]);
  return { vault, conditionalTokens, exchange };
}
