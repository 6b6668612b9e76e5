import { observedSigner, openSigner } from '@core/keys';
import { connectChain, healthOf, type Logger, openClock, sharedMetrics, watchNodes } from '@core/runtime';
import { openStore, type Store } from '@core/store';
import { QuoteSigner } from '@core/vault';
import { HttpPriceHistory, HttpVenueClient, MarketWatch, openReferenceFeeds, RequestBudget } from '@core/venue';
import { Registry } from 'prom-client';
import { tokenKeysFollower } from './auth/followTokenKeys.ts';
import { TokenKeyRing } from './auth/tokenKeyRing.ts';
import { readTokenKeys } from './auth/tokenKeys.ts';
import type { ApiEnv } from './env.ts';
import { PoolReader } from './markets/poolReader.ts';
import { wasmKeccak256 } from './quotes/wasmKeccak256.ts';
import { type RunningApi, startApi } from './startApi.ts';
import { readContractTerms } from './terms/contract.ts';
import { VaultWatch } from './terms/vaultWatch.ts';

/** A reading of the pool older than this promises nothing. */
const maxPoolAgeMs = 10_000;
/** Pool and head are read every two seconds: a read that takes longer than five is of no use any more. */
const chainReads = { timeoutMs: 5_000, isBatched: true, readsOfCall: 100 } as const;

function storeOf({ databaseUrl, redisUrl, config: { chainId, contracts } }: ApiEnv, logger: Logger): Store {
  return openStore({
    databaseUrl,
    ...(redisUrl !== null && { redisUrl }),
    deployment: { chainId, vault: contracts.vault },
    onRedisFault: (err) =>
      logger.warn({ err }, 'redis does not answer: limits are counted in the database, events are polled'),
  });
}

async function openVault({ nodes, config: { chainId, contracts } }: ApiEnv) {
  const health = healthOf(nodes);
  const client = await connectChain({ ...nodes, chainId, health, ...chainReads });
  return { client, nodes: health, contract: await readContractTerms({ client, vault: contracts.vault }) };
}

/** Open the dependencies of the service and start it. Closing closes them in the opposite order. */
export async function openApi(env: ApiEnv, logger: Logger): Promise<RunningApi> {
  const { chainId, contracts } = env.config;
  // Before anything is opened: a service that cannot read the vault's terms starts nothing.
  const { client, nodes, contract } = await openVault(env);
  const registry = new Registry();
  const shared = sharedMetrics(registry);
  watchNodes(registry, nodes);
  const clock = await openClock(env.clockUrl);
  const store = storeOf(env, logger);
  shared.watchPool(store.connections);
  await store.binding.bind({ chainId, vaultAddress: contracts.vault, nowMs: clock.nowMs() });
  const reference = openReferenceFeeds(env.reference, {
    clock,
    onLost: (feed, err) => logger.warn({ err, feed }, 'reference feed failed'),
  });
  // The watch and the readers of histories repeat reads, so a single one gives up early.
  const reads = {
    timeoutMs: 2_000,
    retry: { maxAttempts: 1 },
    budget: new RequestBudget(env.venueLimits),
    onEnd: shared.onVenueRequest,
  };
  const live = new MarketWatch({
    client: new HttpVenueClient({ ...env.venueHosts, ...reads }),
    marketSocketUrl: env.venueHosts.marketSocketUrl,
    clock,
    reference,
    config: env.policy,
    onFault: (err) => logger.warn({ err }, 'venue read failed'),
  });
  const tokenKeys = new TokenKeyRing(await readTokenKeys(env.tokenKeys));
  const keccak256 = await wasmKeccak256();
  const key = observedSigner(await openSigner(env.quoteKey, keccak256), shared.onSignature);
  const signer = new QuoteSigner(key, keccak256);
  const vault = new VaultWatch({
    client,
    vault: contracts.vault,
    signer: signer.address,
    clock,
    maxHeadAgeMs: env.maxHeadAgeMs,
    onWrongSigner: (accepted) =>
      logger.error({ accepted, own: signer.address }, 'the vault accepts another quote key: no quote is signed'),
  });
  await Promise.all([vault.refreshSigner(), vault.refreshHead()]);
  const api = await startApi(env.config, {
    store,
    clock,
    live,
    pastPrices: new HttpPriceHistory({ url: env.venueHosts.url, ...reads }),
    pool: new PoolReader({ client, pool: env.poolAddress, maxAgeMs: maxPoolAgeMs }),
    vault,
    nodes,
    signer,
    tokenKeys,
    refreshTokenKeys: tokenKeysFollower(env.tokenKeysFile, tokenKeys),
    policy: env.policy,
    contract,
    registry,
    logger,
  });
  logger.info({ url: api.url, metricsUrl: api.metricsUrl }, 'listening');
  return {
    ...api,
    close: async () => {
      await api.close();
      live.close();
      reference.close();
      await store.close();
      clock.close();
    },
  };
}
