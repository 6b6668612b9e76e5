import { openStore } from '@core/store';
import { QuoteSigner } from '@core/vault';
import { type Clock, followedClock, HttpReferenceFeeds, HttpVenueClient, MarketWatch, systemClock } from '@core/venue';
import pino from 'pino';
import { createPublicClient, http } from 'viem';
import { readTokenKeys } from './auth/tokenKeys.ts';
import { type ApiEnv, readEnv } from './env.ts';
import { readContractTerms } from './observe/contractTerms.ts';
import { PoolReader } from './observe/poolReader.ts';
import { startApi } from './startApi.ts';

/** A reading of the pool older than this promises nothing. */
const maxPoolAgeMs = 10_000;

/** Opens everything the service stands on, starts it, and closes all of it in the opposite order on a signal. */
async function main(env: ApiEnv): Promise<void> {
  const logger = pino({ level: env.logLevel, name: 'api' });
  const client = createPublicClient({ transport: http(env.rpcUrl, { batch: true }) });
  // Before anything is opened: a service that cannot read the vault's terms starts nothing.
  const contract = await readContractTerms({ client, chainId: env.config.chainId, vault: env.config.contracts.vault });
  const { clock, close: closeClock } = await openClock(env.clockUrl);
  const store = openStore({ databaseUrl: env.databaseUrl });
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
  const api = await startApi(env.config, {
    store,
    clock,
    live,
    pool: new PoolReader({ client, pool: env.poolAddress, maxAgeMs: maxPoolAgeMs }),
    signer: new QuoteSigner(env.signerKey),
    tokenKeys: await readTokenKeys(env.tokenKeys),
    policy: env.policy,
    contract,
    logger,
  });
  const stop = async (): Promise<void> => {
    await api.close();
    live.close();
    reference.close();
    await store.close();
    closeClock();
    logger.info('stopped');
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop());
  logger.info({ url: api.url, metricsUrl: api.metricsUrl }, 'listening');
}

async function openClock(url: string | null): Promise<{ readonly clock: Clock; readonly close: () => void }> {
  if (url === null) return { clock: systemClock, close: () => undefined };
  const clock = await followedClock({ url });
  return { clock, close: () => clock.close() };
}

const reading = readEnv(process.env);
if (reading.kind === 'env') {
  await main(reading.env);
} else {
  process.stderr.write(`the environment is not usable\n${reading.problems.join('\n')}\n`);
  process.exitCode = 1;
}
