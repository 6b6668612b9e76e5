import { openApi, readEnv } from '@core/api';
import { serviceEnvironment } from '@core/api/testing';
import { deployLocal, type LocalDeployment, LocalDriver, type LocalProvider } from '@core/contracts/local';
import { configOfEnv, type Keeper, type KeeperConfig, startKeeper } from '@core/keeper';
import { partnerTermsOf, type Route, routes } from '@core/policy';
import { type PriceSigner, readEnv as readSignerEnv, startPriceSigner } from '@core/price-signer';
import { createLogger } from '@core/runtime';
import { keyFileOf } from '@core/runtime/testing';
import { openStore, type Store } from '@core/store';
import { SigningKey } from '@core/vault';
import { optionsFromEnv, startVenueSim, type VenueSim } from '@core/venue-sim';
import { VenueControl } from '@core/venue-sim/control';
import {
  keeperEnvironment,
  type LocalWorld,
  type ProgramEnvironment,
  priceSignerEnvironment,
  venueEnvironment,
  venueKeysText,
} from '@core/world';
import { Chain } from '../outside/chain/chain.ts';
import type { ChainNode } from '../outside/chain/chainNode.ts';
import type { Postgres } from '../outside/postgres/postgres.ts';
import type { Edge } from '../runtime/installEdge.ts';
import { type FillerKind, fillerMetricsPort, startFillers, type WorldFiller } from './fillers.ts';
import { addVenueDelay, isListedIn, type MarketKind, setMarkets } from './markets.ts';
import { feesOf, type Physics, paceOf, viewOf } from './physics.ts';
import { Programs } from './programs.ts';

const silent = createLogger({ name: 'world', level: 'silent' });
const secretOf = (address: string): string => `a secret of ${address}`;

/** Ports of the programs, the same at each start. */
const ports = {
  api: 8_080,
  apiMetrics: 9_464,
  keepers: { keeper: 9_465, 'keeper 2': 9_466 },
  signers: [9_471, 9_472],
} as const;

/** Everything of a world that is no luck. */
export interface WorldSettings {
  readonly route: Route;
  /** True where the programs have a spare node; they have one node when absent. */
  readonly hasSpareNode?: boolean;
  readonly physics: Physics;
  /** Keepers that share the markets: one, or two with a key each. */
  readonly keepers: 1 | 2;
  /** Kinds of markets that the venue lists. */
  readonly markets: readonly MarketKind[];
  /** Fillers on the route `fill`, each with an account of its own: at most two. */
  readonly fillers: readonly FillerKind[];
}

/** The whole service in one process under one clock. */
export interface World {
  readonly edge: Edge;
  readonly settings: WorldSettings;
  readonly programs: Programs;
  readonly chain: Chain;
  readonly spareNode: ChainNode | null;
  readonly postgres: Postgres;
  readonly deployment: LocalDeployment;
  readonly driver: LocalDriver;
  readonly venue: VenueSim;
  readonly control: VenueControl;
  readonly store: Store;
  readonly fillers: readonly WorldFiller[];
  readonly apiUrl: string;
  readonly apiKey: string;
  /** Origins with `/metrics` and `/readyz`, by program. */
  readonly operations: Readonly<Record<string, string>>;
  /** Settings of the commands of an operator. */
  readonly environment: ProgramEnvironment;
  /** Start a keeper under a name, with changes to what all keepers have. */
  startKeeper(name: string, changes?: Partial<KeeperConfig>): Promise<Keeper>;
}

/** Parts of a world that are no programs: they are opened before its first event. */
export interface OutsideWorld {
  readonly databaseUrl: string;
  readonly postgres: Postgres;
  readonly folder: string;
  readonly provider: LocalProvider;
}

/** A world before its service starts. */
interface Foundation extends LocalWorld {
  readonly edge: Edge;
  readonly settings: WorldSettings;
  readonly databaseUrl: string;
  readonly folder: string;
  readonly programs: Programs;
  readonly deployment: LocalDeployment;
  readonly signers: readonly PriceSigner[];
}

/**
 * Start chain, contracts, venue, price signers, keeper, filler and API as programs of this process. It runs while the
 * scheduler does.
 */
export async function startWorld(edge: Edge, outside: OutsideWorld, settings: WorldSettings): Promise<World> {
  const programs = new Programs(edge);
  const { databaseUrl, postgres, folder, provider } = outside;
  const { physics, markets } = settings;
  const chainSettings = { provider, pace: paceOf(physics), fees: feesOf(physics) };
  const chain = await programs.start('chain', () => Chain.open(edge, chainSettings));
  const deployment = await deployLocal({ rpcUrl: chain.rpcUrl });
  await chain.begin();
  chain.node.view = viewOf(physics);
  addVenueDelay(edge, physics);
  const venue = await programs.start('venue', () => startVenue(chain, deployment, markets));
  const control = new VenueControl(venue.url);
  await setMarkets({ venue, control }, physics);
  const { route } = settings;
  const { rpcUrl } = chain;
  const openSpare = () => chain.openNode({ view: viewOf(physics) });
  const spareNode = settings.hasSpareNode === true ? await programs.start('spare node', openSpare) : null;
  const nodes = { rpcUrl, ...(spareNode !== null && { spareRpcUrl: spareNode.rpcUrl }) };
  // Everyone's clock is the world's: to follow the venue's would cost twenty requests a second.
  const local = { ...nodes, deployment, venue, clockUrl: null, route, blockSeconds: physics.blockMs / 1_000 };
  const signers: PriceSigner[] = [];
  for (const [index, role] of [deployment.roles.priceSigner, deployment.roles.secondPriceSigner].entries()) {
    const port = ports.signers[index] ?? 0;
    signers.push(await programs.start(`signer ${index + 1}`, () => startSigner(local, role, port)));
  }
  const foundation = { ...local, edge, settings, databaseUrl, folder, programs, signers };
  const store = openStore({ databaseUrl });
  const fillers = routes[settings.route].hasFillers ? await startFillers(foundation, settings.fillers) : [];
  const startKeeperAs: World['startKeeper'] = (name, changes = {}) =>
    programs.start(name, () => startKeeper({ ...keeperConfigOf(foundation, metricsPortOf(name)), ...changes }));
  await startKeeperAs('keeper');
  const standby = new SigningKey(deployment.roles.keeperStandby.privateKey);
  if (settings.keepers === 2) await startKeeperAs('keeper 2', { signer: standby });
  const service = await startService(foundation);
  const apiKey = await issueKey(store);
  // Faults are of the first node.
  const driver = new LocalDriver({ deployment, rpcUrl: nodes.spareRpcUrl ?? rpcUrl });
  const outsides = { edge, settings, programs, chain, spareNode, postgres, deployment, driver, venue, control, store };
  const operations = operationsOf(signers, fillers);
  return { ...outsides, ...service, fillers, apiKey, operations, startKeeper: startKeeperAs };
}

const metricsPortOf = (name: string): number => (name === 'keeper 2' ? ports.keepers[name] : ports.keepers.keeper);
const originAt = (port: number): string => `http://127.0.0.1:${port}`;

function operationsOf(signers: readonly PriceSigner[], fillers: readonly WorldFiller[]): World['operations'] {
  return {
    api: originAt(ports.apiMetrics),
    keeper: originAt(ports.keepers.keeper),
    'keeper 2': originAt(ports.keepers['keeper 2']),
    ...Object.fromEntries(signers.map(({ url }, index) => [`signer ${index + 1}`, url])),
    ...(fillers.some(({ kind }) => kind === 'shipped') && { filler: originAt(fillerMetricsPort) }),
  };
}

function startVenue({ rpcUrl }: Chain, deployment: LocalDeployment, markets: readonly MarketKind[]): Promise<VenueSim> {
  const keysFile = keyFileOf(venueKeysText(deployment.roles));
  return startVenueSim({
    ...optionsFromEnv(venueEnvironment({ rpcUrl, deployment }, { keysFile })).options,
    isListed: isListedIn(markets),
    // A world at rest spends most of its processor time on these two.
    slicesPerSecond: 4,
    receiptPollMs: 100,
    settlementTimes: { confirmMs: 200 },
    oracleTimes: { requestMs: 200, proposeMs: 200, livenessMs: 30_000 },
  });
}

function startSigner(
  local: LocalWorld,
  { address, privateKey }: LocalDeployment['roles']['priceSigner'],
  port: number,
): Promise<PriceSigner> {
  const environment = priceSignerEnvironment(local, {
    keyFile: keyFileOf(privateKey),
    secret: secretOf(address),
    port,
  });
  const { options } = readSignerEnv(environment);
  return startPriceSigner({ ...options, signer: new SigningKey(privateKey), logger: silent });
}

function keeperSettingsOf(foundation: Foundation, metricsPort: number): ProgramEnvironment {
  const { databaseUrl, deployment, signers } = foundation;
  const { keeper, oracle } = deployment.roles;
  return keeperEnvironment(foundation, {
    databaseUrl,
    keyFile: keyFileOf(keeper.privateKey),
    signers: signers.map(({ url, address }) => ({ url, secret: secretOf(address) })),
    oracle: oracle.address,
    metricsPort,
  });
}

function keeperConfigOf(foundation: Foundation, metricsPort: number): KeeperConfig {
  const { keeper } = foundation.deployment.roles;
  const environment = keeperSettingsOf(foundation, metricsPort);
  return {
    ...configOfEnv({ ...environment, FINALITY_DEPTH: 'finalized' }).config,
    signer: new SigningKey(keeper.privateKey),
    logger: createLogger({ name: 'keeper', level: process.env['KEEPER_LOG_LEVEL'] === 'debug' ? 'debug' : 'silent' }),
  };
}

async function startService(foundation: Foundation): Promise<Pick<World, 'apiUrl' | 'environment'>> {
  const { programs, folder, databaseUrl, deployment } = foundation;
  const { quoteSigner } = deployment.roles;
  const { api: port, apiMetrics: metricsPort } = ports;
  const environment = await serviceEnvironment(foundation, { folder, databaseUrl, quoteSigner, port, metricsPort });
  const { url } = await programs.start('api', () => openApi(readEnv(environment), silent));
  const keeperSettings = keeperSettingsOf(foundation, ports.keepers.keeper);
  return { apiUrl: url, environment: { ...keeperSettings, ...environment } };
}

async function issueKey(store: Store): Promise<string> {
  const nowMs = Date.now();
  const terms = partnerTermsOf();
  const partner = await store.partners.create({ name: 'world', environment: 'sandbox', terms, createdAtMs: nowMs });
  const issued = await store.apiKeys.issue({ partnerId: partner.id, environment: 'sandbox', nowMs });
  if (issued.kind !== 'issued') throw new Error(`no key: ${issued.kind}`);
  return issued.secret;
}
