import { connectChain, httpNeighbour, type Logger, openClock, runProgram } from '@core/runtime';
import { databaseNeighbour, openStore } from '@core/store';
import { QuoteSigner } from '@core/vault';
import { HttpReferenceFeeds, HttpVenueClient, MarketWatch } from '@core/venue';
import { tokenKeysFollower } from './auth/followTokenKeys.ts';
import { TokenKeyRing } from './auth/tokenKeyRing.ts';
import { readTokenKeys } from './auth/tokenKeys.ts';
import { type ApiEnv, readEnv } from './env.ts';
import { PoolReader } from './markets/poolReader.ts';
import { wasmKeccak256 } from './quotes/wasmKeccak256.ts';
import { startApi } from './startApi.ts';
import { readContractTerms } from './terms/contract.ts';

/** A reading of the pool older than this promises nothing. */
const maxPoolAgeMs = 10_000;
/** The pool is read every second: a read that takes longer than this is of no use any more. */
const chainTimeoutMs = 5_000;

/** Opens everything the service stands on and starts it; closing closes all of it in the opposite order. */
async function start(env: ApiEnv, logger: Logger): Promise<{ close(): Promise<void> }> {
  const { chainId, contracts } = env.config;
  const client = await connectChain({ rpcUrl: env.rpcUrl, chainId, timeoutMs: chainTimeoutMs, isBatched: true });
  // Before anything is opened: a service that cannot read the vault's terms starts nothing.
  const contract = await readContractTerms({ client, vault: contracts.vault });
  const clock = await openClock(env.clockUrl);
  const store = openStore({
    databaseUrl: env.databaseUrl,
    ...(env.redisUrl !== null && { redisUrl: env.redisUrl }),
    onRedisFault: (err) =>
      logger.warn({ err }, 'redis does not answer: limits are counted in the database, events are polled'),
  });
  const reference = new HttpReferenceFeeds({
    url: env.referenceUrl,
    clock,
    onFault: (feed, err) => logger.warn({ err, feed }, 'reference feed failed'),
  });
  const live = new MarketWatch({
    // The watch repeats reads by itself, so a single one gives up early.
    client: new HttpVenueClient({ url: env.venueUrl, timeoutMs: 2_000, retry: { maxAttempts: 1 } }),
    marketSocketUrl: env.venueMarketSocketUrl,
    clock,
    reference,
    config: env.policy,
    onFault: (err) => logger.warn({ err }, 'venue read failed'),
  });
  const tokenKeys = new TokenKeyRing(await readTokenKeys(env.tokenKeys));
  const api = await startApi(env.config, {
    store,
    clock,
    live,
    pool: new PoolReader({ client, pool: env.poolAddress, maxAgeMs: maxPoolAgeMs }),
    signer: new QuoteSigner(env.signerKey, await wasmKeccak256()),
    tokenKeys,
    refreshTokenKeys: tokenKeysFollower(env.tokenKeysFile, tokenKeys),
    policy: env.policy,
    contract,
    logger,
  });
  logger.info({ url: api.url, metricsUrl: api.metricsUrl }, 'listening');
  return {
    close: async () => {
      await api.close();
      live.close();
      reference.close();
      await store.close();
      clock.close();
    },
  };
}

await runProgram({
  name: 'api',
  readEnv,
  neighbours: (env) => [
    databaseNeighbour(env.databaseUrl),
    httpNeighbour('the chain', env.rpcUrl),
    httpNeighbour('the venue', env.venueUrl),
  ],
  start,
});
