import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  deployLocal,
  type LocalAccount,
  type LocalDeployment,
  LocalDriver,
  type LocalPosition,
  startLocalChain,
} from '@core/contracts/local';
import type { MarketRecord, VenueMarket } from '@core/market';
import { type PolicyConfig, policyDefaults, type Route } from '@core/policy';
import { type PlannedUnwind, type Position, type PositionStatus } from '@core/position';
import { type PriceSigner, readEnv as readSignerEnv, startPriceSigner } from '@core/price-signer';
import {
  type LeverageBps,
  leverageBps,
  midPriceOf,
  pricePips,
  quoteFiguresOf,
  rateBps,
  raw,
  type UsdPips,
  usdPips,
} from '@core/pricing';
import { keyFileOf } from '@core/runtime/testing';
import { createId, encodeDomainJson, isDatabaseFault, openStore, type Store } from '@core/store';
import { createTestDatabase, noLimits, reserveQuote, samplePartnerTerms } from '@core/store/testing';
import { steadyStart } from '@core/testkit';
import {
  type CreatePositionFields,
  createPositionDigest,
  positionKeyOf,
  QuoteSigner,
  quotedRiskDigest,
  SigningKey,
  vaultAbi,
} from '@core/vault';
import { HttpVenueClient } from '@core/venue';
import { type MarketDraft, optionsFromEnv, startVenueSim, type VenueSim } from '@core/venue-sim';
import { VenueControl } from '@core/venue-sim/control';
import {
  fillerEnvironment,
  keeperEnvironment,
  type LocalWorld,
  localWorldOf,
  type ProgramEnvironment,
  priceSignerEnvironment,
  spawnProgram,
  venueEnvironment,
  venueKeysText,
} from '@core/world';
import pino from 'pino';
import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { configOfEnv, type Keeper, type KeeperConfig, startKeeper } from '../src/index.ts';
import { type Intents, intentsOf } from '../src/transactions/intents.ts';
import { ownPrice, type StartPrice, standStill } from './standStill.ts';
import { type ChainApart, type PriceSignerApart, startChainApart, startPriceSignerApart } from './startApart.ts';
import { whenFree } from './whenFree.ts';

/** Secret that the keeper shares with a price signer. */
const secretOf = (signer: Address): string => `a secret of ${signer}`;
const silent = pino({ level: 'silent' });

/**
 * A policy that expects no shock and repeats orders soon: a debt is covered up to what its tokens bring now, below the
 * price of a liquidation. Tests of other things than unwinds open positions at any leverage with it.
 */
export const stackPolicy: PolicyConfig = {
  ...policyDefaults,
  model: { ...policyDefaults.model, shockMultiplierBps: 0n },
  execution: { ...policyDefaults.execution, retryDelayMs: 1_000, liquidationRetryDelayMs: 1_000 },
};

/** Request of a user for a quote. */
export interface PositionRequest {
  readonly user: LocalAccount;
  readonly market: MarketRecord;
  readonly side?: 'yes' | 'no';
  readonly notionalUsdPips?: UsdPips;
  readonly leverageBps?: LeverageBps;
  /** Smaller than the quote's own to make an opening impossible. */
  readonly venueFeeUsdcUnits?: bigint;
  readonly minPositionTokenUnits?: bigint;
  readonly minFillBps?: number;
  /** The ladder of a committed position; an adaptive one when it is left out. */
  readonly plannedUnwinds?: readonly PlannedUnwind[];
  /** False: the chain gets a quote that the store never saw. */
  readonly isStored?: boolean;
}

/** The last intents that a test which waits in vain says. */
const shownIntents = 60;

/** Request of a test for a market. */
export interface MarketRequest {
  readonly maxMinutes?: number;
  readonly isWanted?: (listed: VenueMarket, nowMs: number) => boolean;
  readonly isHeld?: (market: MarketRecord) => boolean;
  /** Of the mid of YES, in pips. */
  readonly isPriced?: (midPips: bigint) => boolean;
}

/** A position, and where it stands. */
export interface HeldPosition {
  readonly market: MarketRecord;
  readonly side: 'yes' | 'no';
  readonly position: LocalPosition;
}

/** The real chain, venue, price signer and database around a keeper, and the parts the API would play. */
export class TestStack {
  readonly deployment: LocalDeployment;
  readonly driver: LocalDriver;
  readonly venue: VenueSim;
  /** Both are needed for an order. A test that ends one puts another in its place. */
  readonly signers: [PriceSigner, PriceSigner];
  readonly store: Store;
  readonly intents: Intents;
  readonly databaseUrl: string;
  readonly rpcUrl: string;
  readonly #closers: (() => Promise<void>)[];
  readonly #apart: ChainApart | null;
  readonly #quoteSigner: QuoteSigner;
  readonly #client: HttpVenueClient;
  readonly #control: VenueControl;
  #partnerId = '';
  readonly #given = new Set<string>();

  constructor(parts: {
    readonly deployment: LocalDeployment;
    readonly rpcUrl: string;
    readonly venue: VenueSim;
    readonly signers: [PriceSigner, PriceSigner];
    readonly store: Store;
    readonly databaseUrl: string;
    readonly apart: ChainApart | null;
    readonly closers: (() => Promise<void>)[];
  }) {
    this.deployment = parts.deployment;
    this.rpcUrl = parts.rpcUrl;
    this.driver = new LocalDriver(parts);
    this.venue = parts.venue;
    this.signers = parts.signers;
    this.store = parts.store;
    this.intents = intentsOf(parts.store.intents);
    this.databaseUrl = parts.databaseUrl;
    this.#closers = parts.closers;
    this.#apart = parts.apart;
    this.#quoteSigner = new QuoteSigner(new SigningKey(parts.deployment.roles.quoteSigner.privateKey));
    this.#client = new HttpVenueClient({ url: parts.venue.url });
    this.#control = new VenueControl(parts.venue.url);
  }

  /** The world as all programs read it. */
  get world(): LocalWorld {
    return localWorldOf(this, 'direct');
  }

  get #place() {
    return { chainId: this.deployment.chainId, vault: this.deployment.contracts.vault };
  }

  keeperConfig(): KeeperConfig {
    const { keeper } = this.deployment.roles;
    return {
      ...configOfEnv(this.#keeperEnvironment(keeper.privateKey)).config,
      signer: new SigningKey(keeper.privateKey),
      policy: stackPolicy,
      logger: pino({ level: process.env['KEEPER_LOG_LEVEL'] ?? 'silent' }),
    };
  }

  #keeperEnvironment(privateKey: Hex): ProgramEnvironment {
    return keeperEnvironment(this.world, {
      databaseUrl: this.databaseUrl,
      redisUrl: process.env['TEST_REDIS_URL'] ?? null,
      keyFile: keyFileOf(privateKey),
      signers: this.signers.map((signer) => this.askedAt(signer)),
      oracle: this.deployment.roles.oracle.address,
    });
  }

  /** Connection of a keeper to a price signer. */
  askedAt({ url, address }: Pick<PriceSigner, 'url' | 'address'>): KeeperConfig['priceSigners'][number] {
    return { url, secret: secretOf(address) };
  }

  /** A price signer with a feed of its own, at the venue or elsewhere; where one was before, when a port is given. */
  startPriceSigner(privateKey: Hex, port = 0, feed: Feed = this.venue): Promise<PriceSigner> {
    return startSigner(this, { privateKey, port, feed });
  }

  /** The same at the venue and as a process of its own, which a test can kill. */
  startPriceSignerApart(account: LocalAccount, port: number): Promise<PriceSignerApart> {
    return startSignerApart(this, account, port);
  }

  startKeeper(changes: Partial<KeeperConfig> = {}): Promise<Keeper> {
    return startKeeper({ ...this.keeperConfig(), ...changes });
  }

  /** The keeper as a process of its own, which may kill itself at a named point. */
  spawnKeeper(
    failpoint?: string,
    privateKey: Hex = this.deployment.roles.keeper.privateKey,
    route: Route = 'direct',
  ): ChildProcess {
    return spawnProgram('keeper', {
      stdio: process.env['KEEPER_LOG_LEVEL'] === undefined ? 'ignore' : 'inherit',
      env: {
        ...this.#keeperEnvironment(privateKey),
        ROUTE: route,
        LOG_LEVEL: process.env['KEEPER_LOG_LEVEL'] ?? 'silent',
        ...(failpoint === undefined ? {} : { NODE_ENV: 'test', FAILPOINT: failpoint }),
      },
    });
  }

  /** The shipped filler as a process of its own, with a float for a thousand small positions. */
  spawnFiller(): ChildProcess {
    const [filler] = this.deployment.roles.fillers;
    if (filler === undefined) throw new Error('there is no filler account');
    const journalFile = path.join(mkdtempSync(path.join(tmpdir(), 'filler-')), 'journal.ndjson');
    const keyFile = keyFileOf(filler.privateKey);
    return spawnProgram('filler', {
      stdio: process.env['FILLER_LOG_LEVEL'] === undefined ? 'ignore' : 'inherit',
      env: {
        ...fillerEnvironment(localWorldOf(this, 'fill'), { keyFile, journalFile }),
        FILLER_FLOAT_USD: '100000',
        LOG_LEVEL: process.env['FILLER_LOG_LEVEL'] ?? 'silent',
      },
    });
  }

  /**
   * A market with twenty minutes to go at least, both outcomes registered, worth between 25 and 75 cents unless the
   * caller wants another price; another one at each call. The longest comes first, of at most `maxMinutes`, of those
   * that the caller wants. Its price stands still, so that it is where a test puts it for as long as a busy machine
   * takes to act on it.
   */
  async tradableMarket({
    maxMinutes = Number.POSITIVE_INFINITY,
    isWanted = isCrypto,
    isHeld = isAny,
    isPriced = isBalanced,
  }: MarketRequest = {}): Promise<MarketRecord> {
    return this.until('a registered market', async () => {
      const nowMs = this.venue.venue.nowMs;
      const markets = (await this.store.markets.changedSince(0n))
        .filter((market) => isLongEnough(market, nowMs) && market.record !== null && isWanted(market.record, nowMs))
        .filter(isHeld)
        .filter(({ closeTimeMs }) => (closeTimeMs ?? 0) <= nowMs + maxMinutes * 60_000)
        .toSorted((left, right) => (right.closeTimeMs ?? 0) - (left.closeTimeMs ?? 0));
      for (const market of markets) {
        const isRegistered = market.yesOutcomeId !== null && market.noOutcomeId !== null;
        const hasFees = market.record?.venueFeeSchedule !== null;
        if (isRegistered && hasFees && !this.#given.has(market.id)) {
          // Taken before the book is read: another test asks meanwhile, and two in one market would meet each other.
          this.#given.add(market.id);
          if (isPriced(await this.#midOf(market))) {
            await this.#control.pin([market.ticker]);
            return market;
          }
          this.#given.delete(market.id);
        }
      }
      return undefined;
    });
  }

  /** The side that is worth half a dollar or more. */
  async likelierSide(market: MarketRecord): Promise<'yes' | 'no'> {
    return (await this.#midOf(market)) >= 5_000n ? 'yes' : 'no';
  }

  /** Principal and fees that a position owes now, from the chain. */
  async debtOf({ positionKey }: LocalPosition): Promise<bigint> {
    const [principal, fees] = await this.driver.rpc.client.readContract({
      address: this.deployment.contracts.vault,
      abi: vaultAbi,
      functionName: 'debtOf',
      args: [positionKey],
    });
    return principal + fees;
  }

  /** Pips, from the chain. */
  async liquidationPriceOf({ positionKey }: LocalPosition): Promise<bigint> {
    return this.driver.rpc.client.readContract({
      address: this.deployment.contracts.vault,
      abi: vaultAbi,
      functionName: 'liquidationPriceOf',
      args: [positionKey],
    });
  }

  /**
   * The price of a position's side falls, under the vault's liquidation price; by default by more than the half cent a
   * mid may lie above it.
   */
  async fallUnderLiquidation(held: HeldPosition, underPips = 60n): Promise<void> {
    await this.fallTo(held, (await this.liquidationPriceOf(held.position)) - underPips);
  }

  /** The price of a position's side falls to so many pips, at once. */
  async fallTo({ market, side }: Pick<HeldPosition, 'market' | 'side'>, pips: bigint): Promise<void> {
    await this.scenario('crash', market, { side, to: (Number(pips) / 10_000).toFixed(4) });
  }

  /**
   * Leaves bids for a percentage of what a position holds, in a deep book as in a thin one. The scenario's book is the
   * first token's: bids of the second are its asks.
   */
  async drainBids({ market, side, position }: HeldPosition, heldPct: number, seconds: number): Promise<void> {
    const shownUnits = await this.until('bids', async () => {
      const book = await this.#client.book(side === 'yes' ? market.yesTokenId : market.noTokenId);
      const units = (book?.bids ?? []).reduce((sum, { sizeTokenUnits }) => sum + raw(sizeTokenUnits), 0n);
      return units > 0n ? units : undefined;
    });
    const { tokenUnits } = await this.driver.positionOf(position);
    const share = Number(tokenUnits) / Number(shownUnits);
    const book_side = side === 'yes' ? 'bids' : 'asks';
    await this.scenario('depth_drain', market, { remaining_pct: Math.min(100, heldPct * share), book_side, seconds });
  }

  async #midOf({ yesTokenId }: MarketRecord): Promise<bigint> {
    const book = await this.#client.book(yesTokenId);
    return raw((book === null ? null : midPriceOf(book)) ?? pricePips(0n));
  }

  /** Quotes from the live book as the API would, stores the quote, and submits it as the user. */
  async open(wanted: PositionRequest): Promise<LocalPosition> {
    const { market, user } = wanted;
    const side = wanted.side ?? 'yes';
    const tokenId = side === 'yes' ? market.yesTokenId : market.noTokenId;
    const listed = market.record;
    if (listed === null || listed.venueFeeSchedule === null) throw new Error(`no fee schedule for ${market.ticker}`);
    const book = await this.until(
      `a book of ${market.ticker}`,
      async () => (await this.#client.book(tokenId)) ?? undefined,
    );
    const leverage = wanted.leverageBps ?? leverageBps(15_000n);
    const slippageBps = rateBps(1_000n);
    const figures = quoteFiguresOf({
      asks: book.asks,
      notionalUsdPips: wanted.notionalUsdPips ?? usdPips(300_000n),
      leverageBps: leverage,
      slippageBps,
      tickPricePips: listed.tickPricePips,
      exitBufferBps: rateBps(800n),
      fees: {
        ...policyDefaults.fees,
        contractMaxOriginationFeeBps: rateBps(500n),
        venue: listed.venueFeeSchedule,
      },
    });
    const nowSeconds = await this.driver.rpc.nowSeconds();
    const fields: CreatePositionFields = {
      positionSeed: `0x${randomBytes(16).toString('hex')}`,
      user: user.address,
      venueMarketId: market.venueMarketId as Hex,
      venueTokenId: BigInt(tokenId),
      collateralUsdcUnits: figures.collateralUsdcUnits,
      leverageBps: leverage,
      notionalUsdcUnits: figures.notionalUsdcUnits,
      originationFeeBps: figures.originationFeeBps,
      lifetimeFeeAprBps: policyDefaults.fees.lifetimeFeeAprBps,
      liquidationFeeBps: policyDefaults.fees.liquidationFeeBps,
      signatureExpiry: nowSeconds + 60n,
      chainId: this.deployment.chainId,
      vault: this.deployment.contracts.vault,
    };
    const nowMs = Number(nowSeconds) * 1_000;
    const request = {
      walletAddress: user.address,
      side,
      leverageBps: leverage,
      notionalUsdPips: figures.notionalUsdPips,
      slippageBps,
      allowRevision: false,
      allowPartialFill: wanted.minFillBps !== undefined,
      minFillBps: wanted.minFillBps === undefined ? null : rateBps(BigInt(wanted.minFillBps)),
      draftEntryPricePips: null,
    } as const;
    const risk = { exitSeconds: 60, plannedUnwinds: wanted.plannedUnwinds ?? [] };
    if (wanted.isStored !== false) {
      const outcome = await reserveQuote(this.store, {
        quote: {
          id: createId('off', nowMs),
          draftId: null,
          partnerId: this.#partnerId,
          walletAddress: user.address,
          marketId: market.id,
          side,
          positionKey: positionKeyOf(fields),
          positionSeed: fields.positionSeed,
          digest: createPositionDigest(fields),
          signatureExpirySeconds: fields.signatureExpiry,
          request,
          figures: {
            kind: 'priced',
            side,
            tokenId,
            revision: null,
            slippageBps,
            minFillBps: request.minFillBps ?? rateBps(10_000n),
            allowPartialFill: request.allowPartialFill,
            figures,
            markPricePips: figures.entryPricePips,
            exitBufferBps: rateBps(800n),
            riskMode: wanted.plannedUnwinds === undefined ? 'adaptive' : 'committed',
            ...risk,
          },
          createdAtMs: nowMs,
          riskSignature: await this.#quoteSigner.signDigest(
            quotedRiskDigest({ ...risk, positionKey: positionKeyOf(fields), ...this.#place }),
          ),
        },
        clusterKey: market.clusterKey,
        releaseAtMs: nowMs + 90_000,
        limits: noLimits,
      });
      if (outcome !== 'reserved') {
        throw new Error('the test quote was refused');
      }
    }
    return this.driver.createPosition({
      sender: user,
      fields,
      signature: (await this.#quoteSigner.sign(fields)).signature,
      limits: {
        venueFeeUsdcUnits: wanted.venueFeeUsdcUnits ?? raw(figures.expectedOpenTradingFeeUsdcUnits),
        minPositionTokenUnits: wanted.minPositionTokenUnits ?? raw(figures.minExpectedPositionTokenUnits),
        maxLiquidationPricePips: Number(raw(figures.maxLiquidationPricePips)),
        minFillBps: wanted.minFillBps ?? 10_000,
      },
    });
  }

  /** The projection of a position once it has one of these statuses. */
  async reaches(position: LocalPosition, ...statuses: readonly PositionStatus[]): Promise<Position> {
    return this.until(`${position.positionKey} to be ${statuses.join(' or ')}`, async () => {
      const record = await this.store.positions.byKey(position.positionKey);
      return record !== null && statuses.includes(record.status) ? record : undefined;
    });
  }

  async until<Value>(what: string, look: () => Promise<Value | undefined>, timeoutMs = 150_000): Promise<Value> {
    const endMs = performance.now() + timeoutMs;
    for (;;) {
      // A busy machine may give no connection within the database's time limit: that poll saw nothing.
      const value = await look().catch((error: unknown) => {
        if (isDatabaseFault(error)) return undefined;
        throw error;
      });
      if (value !== undefined) {
        return value;
      }
      if (performance.now() > endMs) {
        throw new Error(`timed out waiting for ${what}; intents: ${await this.#intentsText()}`);
      }
      await delay(100);
    }
  }

  async #intentsText(): Promise<string> {
    const states = [
      'prepared',
      'signed',
      'broadcast',
      'included',
      'final',
      'dropped',
      'reverted',
      'replaced',
      'reorged',
    ] as const;
    const intents = (await this.store.intents.inStates(states)).filter(
      ({ operation }) => operation !== 'register_outcome',
    );
    const line = ({ subject, operation, attempt, state, outcome }: (typeof intents)[number]): string =>
      `${subject.slice(0, 10)} ${operation} ${attempt} ${state} ${encodeDomainJson(outcome)}`;
    return intents.slice(-shownIntents).map(line).join('; ');
  }

  /** The local USDC lets anyone switch its blacklist. */
  async setBlacklisted(user: Address, isBlacklisted: boolean): Promise<void> {
    const { roles, contracts } = this.deployment;
    const abi = parseAbi(['function setBlacklisted(address account, bool blacklisted)']);
    const data = encodeFunctionData({ abi, args: [user, isBlacklisted] });
    // Not by the oracle, whose transactions the venue numbers itself.
    await this.driver.rpc.send(roles.treasury, { to: contracts.usdc, data });
  }

  async scenario(name: string, market: MarketRecord, params: object = {}): Promise<void> {
    await this.#control.play(name, market.ticker, params);
  }

  async advance(seconds: number): Promise<void> {
    await this.#control.advance(seconds);
  }

  /** Run a piece of work during which the chain, which has to be a process of its own, mines nothing. */
  holdStill<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#apart === null) throw new Error('only a chain apart can be held still');
    return this.#apart.holdStill(work);
  }

  async createPartner(): Promise<void> {
    const partner = {
      name: 'test',
      environment: 'sandbox',
      terms: samplePartnerTerms,
      createdAtMs: Date.now(),
    } as const;
    this.#partnerId = (await this.store.partners.create(partner)).id;
  }

  get partnerId(): string {
    return this.#partnerId;
  }

  async close(): Promise<void> {
    for (const closer of this.#closers.toReversed()) {
      await closer();
    }
  }
}

function isLongEnough(market: MarketRecord, nowMs: number): boolean {
  return market.status === 'active' && (market.closeTimeMs ?? 0) > nowMs + 1_200_000;
}

/** Default request of a test. */
const isCrypto: (listed: VenueMarket, nowMs: number) => boolean = ({ category }) => category === 'crypto';

const isAny = (): boolean => true;

const isBalanced = (midPips: bigint): boolean => midPips > 2_500n && midPips < 7_500n;

/** Waits until a spawned keeper is gone; its signal distinguishes a crash from an end. */
export async function exitOf(child: ChildProcess): Promise<NodeJS.Signals | null> {
  if (child.exitCode === null && child.signalCode === null) {
    await once(child, 'exit');
  }
  return child.signalCode;
}

/** Source of a price signer's market data. */
type Feed = Pick<VenueSim, 'url' | 'wsUrl'>;

function startSigner(
  { world }: { readonly world: LocalWorld },
  {
    privateKey,
    port = 0,
    feed = world.venue,
    config,
  }: { readonly privateKey: Hex; readonly port?: number; readonly feed?: Feed; readonly config?: PolicyConfig },
): Promise<PriceSigner> {
  const secret = secretOf(privateKeyToAccount(privateKey).address);
  const keyFile = keyFileOf(privateKey);
  const { options } = readSignerEnv(priceSignerEnvironment({ ...world, venue: feed }, { keyFile, secret, port }));
  const start = (): Promise<PriceSigner> =>
    startPriceSigner({ ...options, ...(config && { config }), signer: new SigningKey(privateKey), logger: silent });
  return whenFree(port === 0 ? null : port, start);
}

/** A price signer in a process of its own. */
function startSignerApart(
  { world }: { readonly world: LocalWorld },
  { address, privateKey }: LocalAccount,
  port: number | null = null,
): Promise<PriceSignerApart> {
  return startPriceSignerApart({ address, privateKey, secret: secretOf(address), world, port });
}

/** Twenty-one crypto markets with fees that run for an hour or a day, for tests that need so many. */
export const isLastingCrypto = ({ category, event, feeSchedule }: MarketDraft): boolean =>
  category === 'crypto' && feeSchedule !== null && event.series?.recurrence !== '15m';

/**
 * Eight crypto markets that run for a day or two and stand near half a dollar. Each further one costs the keeper two
 * registrations and every program a tick a second.
 */
const isDaily = ({ category, event, groupItemTitle }: MarketDraft): boolean =>
  category === 'crypto' && event.series?.recurrence === 'daily' && groupItemTitle === null;

/** Eight crypto markets of an hour each, that of now and the next of each asset. */
export const isHourly = ({ category, event }: MarketDraft): boolean =>
  category === 'crypto' && event.series?.recurrence === 'hourly';

/** Games, for tests of what a game changes. */
export const isGame = ({ category }: MarketDraft): boolean => category === 'sport';

/**
 * Start a chain, a venue, two price signers and a database, at the same time of day whenever the test runs.
 *
 * @param parameters.isApart Chain and price signers are processes of their own, as in the shipped stack, for what
 *   measures time: in one process they would wait for each other.
 * @param parameters.isListed Markets that the venue lists; `isDaily` by default.
 * @param parameters.isManaged Markets that the PositionManager holds; none by default.
 * @param parameters.startPriceOf Price at which each market stands from before the price signers watch it; its own by
 *   default, and null lets all prices move until a test takes a market.
 * @param parameters.signerPolicy Policy of the price signers, where they run in this process.
 */
export async function startTestStack({
  isApart = false,
  isListed = isDaily,
  isManaged = () => false,
  startPriceOf = ownPrice,
  signerPolicy,
}: {
  readonly isApart?: boolean;
  readonly isListed?: (draft: MarketDraft) => boolean;
  readonly isManaged?: (draft: MarketDraft) => boolean;
  readonly startPriceOf?: StartPrice | null;
  readonly signerPolicy?: PolicyConfig;
} = {}): Promise<TestStack> {
  const closers: (() => Promise<void>)[] = [];
  const apart = isApart ? await startChainApart() : null;
  const chain = apart ?? (await startLocalChain({ initialDate: steadyStart() }));
  closers.push(() => chain.close());
  const deployment = await deployLocal({ rpcUrl: chain.rpcUrl });
  const { roles } = deployment;
  const { rpcUrl } = chain;
  const keysFile = keyFileOf(venueKeysText(roles));
  const venue = await startVenueSim({
    ...optionsFromEnv(venueEnvironment({ rpcUrl, deployment }, { keysFile })).options,
    // The contracts of managed markets too.
    contracts: deployment.contracts,
    isListed,
    isManaged,
    settlementTimes: { confirmMs: 200 },
    // A proposal waits for what a test does with it, on a slow machine too; a report that failed is repeated after it.
    oracleTimes: { requestMs: 200, proposeMs: 200, livenessMs: 30_000 },
  });
  closers.push(() => venue.close());
  if (startPriceOf !== null) await standStill(venue, startPriceOf);
  const around = { world: localWorldOf({ deployment, rpcUrl, venue }, 'direct') };
  const start = (account: LocalAccount): Promise<PriceSigner> =>
    isApart
      ? startSignerApart(around, account)
      : startSigner(around, { ...account, ...(signerPolicy && { config: signerPolicy }) });
  const signers: [PriceSigner, PriceSigner] = [await start(roles.priceSigner), await start(roles.secondPriceSigner)];
  closers.push(async () => {
    for (const signer of signers) await signer.close();
  });
  const database = await createTestDatabase();
  closers.push(() => database.close());
  const store = openStore({ databaseUrl: database.databaseUrl });
  closers.push(() => store.close());
  const stack = new TestStack({
    deployment,
    rpcUrl,
    venue,
    signers,
    store,
    databaseUrl: database.databaseUrl,
    apart,
    closers,
  });
  await stack.createPartner();
  return stack;
}
