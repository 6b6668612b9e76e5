import { defaultLimits, readTokenKeys, startApi, wasmKeccak256 } from '@core/api';
import { FakePool, FakeVault, roomyLimits } from '@core/api/testing';
import { policyDefaults } from '@core/policy';
import { rateBps, usdcUnits } from '@core/pricing';
import { createLogger, NodeHealth, systemClock } from '@core/runtime';
import { openStore, type Store } from '@core/store';
import { QuoteSigner, SigningKey } from '@core/vault';
import { HttpPriceHistory, HttpReferenceFeeds, HttpVenueClient, MarketWatch } from '@core/venue';
import { countedReads, LiveLook, type WatchedToken } from '../liveLook.ts';
import { readSetup, serveBench } from '../serverMain.ts';

/** Return a pool that lends for the whole run: every quote of the load keeps its capacity until the end. */
function deepPool(): FakePool {
  const pool = new FakePool();
  const deep = usdcUnits(10n ** 15n);
  pool.reading = {
    idleUsdcUnits: deep,
    reserveUsdcUnits: deep,
    lentUsdcUnits: usdcUnits(0n),
    impairedUsdcUnits: usdcUnits(0n),
    freeLiquidityUsdcUnits: deep,
  };
  return pool;
}

async function tokensOf({ markets }: Store): Promise<readonly WatchedToken[]> {
  const { records } = await markets.unfinalized();
  return records.flatMap(({ yesTokenId, noTokenId, closeTimeMs }) =>
    [yesTokenId, noTokenId].map((tokenId) => ({ tokenId, closesAtMs: closeTimeMs ?? Number.POSITIVE_INFINITY })),
  );
}

const setup = readSetup();
const clock = systemClock;
const logger = createLogger({ name: 'api', level: 'info' });
const redisUrl = setup['redisUrl'] === undefined ? undefined : String(setup['redisUrl']);
const store = openStore({ databaseUrl: String(setup['databaseUrl']), redisUrl });
const reference = new HttpReferenceFeeds({ url: String(setup['venueUrl']), clock });
const client = new HttpVenueClient({ url: String(setup['venueUrl']), timeoutMs: 2_000, retry: { maxAttempts: 1 } });
const live = new MarketWatch({
  client: countedReads(client, () => look.countRead()),
  marketSocketUrl: `${String(setup['venueSocketUrl'])}/ws/market`,
  clock,
  reference,
  config: policyDefaults,
});
const keccak256 = await wasmKeccak256();
const look = new LiveLook(live, await tokensOf(store));
const api = await startApi(
  {
    port: 0,
    listenHost: '127.0.0.1',
    publicUrl: null,
    metricsPort: null,
    environment: 'sandbox',
    idNamespace: '',
    trustProxy: [],
    corsOrigins: [],
    chainId: 31_337,
    contracts: {
      vault: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
      usdc: '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512',
    },
    switches: { isQuoteCreationEnabled: true, isPartialOpenEnabled: true },
    marketListAgeMs: 250,
    limits: defaultLimits,
  },
  {
    store: { ...store, limits: roomyLimits(store.limits) },
    clock,
    live,
    pastPrices: new HttpPriceHistory({ url: String(setup['venueUrl']) }),
    pool: deepPool(),
    vault: new FakeVault(),
    nodes: new NodeHealth(1),
    signer: new QuoteSigner(new SigningKey(`0x${'5'.repeat(64)}`, keccak256), keccak256),
    tokenKeys: await readTokenKeys(setup['tokenKeys']),
    policy: { ...policyDefaults, openingRoute: 'fill' },
    contract: { maxOriginationFeeBps: rateBps(500n) },
    logger,
  },
);
const close = async (): Promise<void> => {
  await api.close();
  live.close();
  reference.close();
  await store.close();
};
serveBench({ port: Number(new URL(api.origin).port) }, close, {
  look: () => look.start(),
  looked: () => look.figures(),
});
