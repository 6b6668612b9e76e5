import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  deployLocal,
  type LocalAccount,
  type LocalDeployment,
  LocalDesk,
  type LocalPosition,
  startLocalChain,
} from '@core/contracts/local';
import { policyDefaults } from '@core/policy';
import { type PriceSigner, startPriceSigner } from '@core/price-signer';
import {
  constants,
  type LeverageBps,
  leverageBps,
  pricePips,
  quoteFiguresOf,
  rateBps,
  raw,
  type UsdPips,
  usdPips,
} from '@core/pricing';
import {
  createId,
  encodeDomainJson,
  type MarketRecord,
  openStore,
  type PositionRecord,
  type PositionStatus,
  type Store,
} from '@core/store';
import { createTestDatabase, noLimits, samplePartnerTerms } from '@core/store/testing';
import { type CreatePositionFields, createPositionDigest, positionKeyOf, QuoteSigner, vaultAbi } from '@core/vault';
import { HttpVenueClient, type VenueMarket } from '@core/venue';
import { startVenueSim, type VenueSim } from '@core/venue-sim';
import pino from 'pino';
import type { Hex } from 'viem';
import { type Keeper, type KeeperConfig, startKeeper } from '../src/index.ts';

const secret = 'a secret of the test stack';
const silent = pino({ level: 'silent' });

/** What a user asks a quote for. */
export interface Wish {
  readonly user: LocalAccount;
  readonly market: MarketRecord;
  readonly side?: 'yes' | 'no';
  readonly notionalUsdPips?: UsdPips;
  readonly leverageBps?: LeverageBps;
  /** Smaller than the quote's own to make an opening impossible. */
  readonly venueFeeUsdcUnits?: bigint;
  readonly minPositionTokenUnits?: bigint;
  readonly minFillBps?: number;
  /** False: the chain gets a quote that the store never saw. */
  readonly isStored?: boolean;
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
  readonly desk: LocalDesk;
  readonly venue: VenueSim;
  readonly signer: PriceSigner;
  readonly store: Store;
  readonly databaseUrl: string;
  readonly rpcUrl: string;
  readonly #closers: (() => Promise<void>)[];
  readonly #quoteSigner: QuoteSigner;
  readonly #client: HttpVenueClient;
  #partnerId = '';
  readonly #given = new Set<string>();

  constructor(parts: {
    readonly deployment: LocalDeployment;
    readonly rpcUrl: string;
    readonly venue: VenueSim;
    readonly signer: PriceSigner;
    readonly store: Store;
    readonly databaseUrl: string;
    readonly closers: (() => Promise<void>)[];
  }) {
    this.deployment = parts.deployment;
    this.rpcUrl = parts.rpcUrl;
    this.desk = new LocalDesk(parts);
    this.venue = parts.venue;
    this.signer = parts.signer;
    this.store = parts.store;
    this.databaseUrl = parts.databaseUrl;
    this.#closers = parts.closers;
    this.#quoteSigner = new QuoteSigner(parts.deployment.roles.quoteSigner.privateKey);
    this.#client = new HttpVenueClient({ url: parts.venue.url });
  }

  keeperConfig(): KeeperConfig {
    const { deployment } = this;
    return {
      databaseUrl: this.databaseUrl,
      rpcUrl: this.rpcUrl,
      chainId: deployment.chainId,
      contracts: deployment.contracts,
      deploymentBlock: deployment.deploymentBlock,
      venueDomain: deployment.venueDomain,
      venueUrl: this.venue.url,
      marketSocketUrl: `${this.venue.wsUrl}/ws/market`,
      priceSignerUrl: this.signer.url,
      priceSignerSecret: secret,
      privateKey: deployment.roles.keeper.privateKey,
      oracles: [deployment.roles.oracle.address],
      clockUrl: this.venue.url,
      logger: pino({ level: process.env['KEEPER_LOG_LEVEL'] ?? 'silent' }),
    };
  }

  startKeeper(changes: Partial<KeeperConfig> = {}): Promise<Keeper> {
    return startKeeper({ ...this.keeperConfig(), ...changes });
  }

  /** The keeper as a process of its own, which may be told to kill itself. */
  spawnKeeper(crashPoint?: string, privateKey: Hex = this.deployment.roles.keeper.privateKey): ChildProcess {
    const config = this.keeperConfig();
    const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
    return spawn(process.execPath, [main], {
      cwd: path.dirname(main),
      stdio: process.env['KEEPER_LOG_LEVEL'] === undefined ? 'ignore' : 'inherit',
      env: {
        PATH: process.env['PATH'],
        DATABASE_URL: config.databaseUrl,
        RPC_URL: config.rpcUrl,
        CHAIN_ID: String(config.chainId),
        VAULT_ADDRESS: config.contracts.vault,
        POOL_ADDRESS: config.contracts.pool,
        EXCHANGE_ADDRESS: config.contracts.exchange,
        CONDITIONAL_TOKENS_ADDRESS: config.contracts.conditionalTokens,
        USDC_ADDRESS: config.contracts.usdc,
        DEPLOYMENT_BLOCK: String(config.deploymentBlock),
        VENUE_URL: config.venueUrl,
        VENUE_MARKET_SOCKET_URL: config.marketSocketUrl,
        PRICE_SIGNER_URL: config.priceSignerUrl,
        PRICE_SIGNER_SECRET: secret,
        KEEPER_PRIVATE_KEY: privateKey,
        ORACLE_ADDRESSES: config.oracles.join(','),
        CLOCK_URL: this.venue.url,
        KEEPER_METRICS_PORT: '0',
        LOG_LEVEL: process.env['KEEPER_LOG_LEVEL'] ?? 'silent',
        ...(crashPoint === undefined ? {} : { CRASH_POINT: crashPoint }),
      },
    });
  }

  /**
   * A market with twenty minutes to go at least, both outcomes registered, worth between 25 and 75 cents; another one at
   * each call. The longer it has to go, the less its price drifts: the longest comes first.
   */
  async tradableMarket(): Promise<MarketRecord> {
    return this.until('a registered market', async () => {
      const nowMs = this.venue.venue.nowMs;
      const markets = (await this.store.markets.all())
        .filter((market) => isLongEnough(market, nowMs))
        .toSorted((left, right) => (right.closeTimeMs ?? 0) - (left.closeTimeMs ?? 0));
      for (const market of markets) {
        const isRegistered = market.yesOutcomeId !== null && market.noOutcomeId !== null;
        if (isRegistered && !this.#given.has(market.id)) {
          // Taken before the book is read: another test asks meanwhile, and two in one market would meet each other.
          this.#given.add(market.id);
          if (await this.#isBalanced(market)) return market;
          this.#given.delete(market.id);
        }
      }
      return undefined;
    });
  }

  async #isBalanced(market: MarketRecord): Promise<boolean> {
    const mid = await this.#midOf(market);
    return mid > 2_500n && mid < 7_500n;
  }

  /** The side that is worth half a dollar or more. */
  async likelierSide(market: MarketRecord): Promise<'yes' | 'no'> {
    return (await this.#midOf(market)) >= 5_000n ? 'yes' : 'no';
  }

  /** Pips, from the chain. */
  async liquidationPriceOf({ positionKey }: LocalPosition): Promise<bigint> {
    return this.desk.rpc.client.readContract({
      address: this.deployment.contracts.vault,
      abi: vaultAbi,
      functionName: 'liquidationPriceOf',
      args: [positionKey],
    });
  }

  /** The price of a position's side falls, under the vault's liquidation price; by default by more than the half cent a mid may lie above it. */
  async fallUnderLiquidation({ market, side, position }: HeldPosition, underPips = 60n): Promise<void> {
    const pips = await this.liquidationPriceOf(position);
    await this.scenario('crash', market, { side, to: (Number(pips - underPips) / 10_000).toFixed(4) });
  }

  async #midOf({ yesTokenId }: MarketRecord): Promise<bigint> {
    return raw((await this.#client.midpoint(yesTokenId)) ?? pricePips(0n));
  }

  /** Quotes from the live book as the API would, stores the quote, and submits it as the user. */
  async open(wish: Wish): Promise<LocalPosition> {
    const { market, user } = wish;
    const side = wish.side ?? 'yes';
    const tokenId = side === 'yes' ? market.yesTokenId : market.noTokenId;
    const listed = market.record as VenueMarket;
    const book = await this.#client.book(tokenId);
    if (book === null || listed.venueFeeSchedule === null) {
      throw new Error(`no book or fee schedule for ${market.ticker}`);
    }
    const leverage = wish.leverageBps ?? leverageBps(15_000n);
    const slippageBps = rateBps(1_000n);
    const figures = quoteFiguresOf({
      asks: book.asks,
      notionalUsdPips: wish.notionalUsdPips ?? usdPips(300_000n),
      leverageBps: leverage,
      slippageBps,
      tickPricePips: listed.tickPricePips,
      exitBufferBps: rateBps(800n),
      fees: {
        ...policyDefaults.fees,
        contractMaxOriginationFeeBps: constants.maxOriginationFeeBps,
        venue: listed.venueFeeSchedule,
      },
    });
    const nowSeconds = await this.desk.rpc.nowSeconds();
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
      allowPartialFill: wish.minFillBps !== undefined,
      minFillBps: wish.minFillBps === undefined ? null : rateBps(BigInt(wish.minFillBps)),
      draftEntryPricePips: null,
    } as const;
    if (wish.isStored !== false) {
      const outcome = await this.store.quotes.reserve({
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
            leverageBps: leverage,
            notionalUsdPips: figures.notionalUsdPips,
            revision: null,
            slippageBps,
            minFillBps: request.minFillBps ?? rateBps(10_000n),
            allowPartialFill: request.allowPartialFill,
            figures,
            markPricePips: figures.entryPricePips,
            exitBufferBps: rateBps(800n),
            riskMode: 'adaptive',
            plannedUnwinds: [],
          },
          createdAtMs: nowMs,
        },
        notionalUsdPips: figures.notionalUsdPips,
        borrowUsdcUnits: figures.borrowUsdcUnits,
        clusterKey: market.clusterKey,
        releaseAtMs: nowMs + 90_000,
        limits: noLimits,
      });
      if (outcome.kind !== 'reserved') {
        throw new Error('the test quote was refused');
      }
    }
    return this.desk.createPosition({
      sender: user,
      fields,
      signature: this.#quoteSigner.sign(fields).signature,
      limits: {
        venueFeeUsdcUnits: wish.venueFeeUsdcUnits ?? raw(figures.expectedOpenTradingFeeUsdcUnits),
        minPositionTokenUnits: wish.minPositionTokenUnits ?? raw(figures.minExpectedPositionTokenUnits),
        maxLiquidationPricePips: Number(raw(figures.maxLiquidationPricePips)),
        minFillBps: wish.minFillBps ?? 10_000,
      },
    });
  }

  /** The projection of a position once it has one of these statuses. */
  async reaches(position: LocalPosition, ...statuses: readonly PositionStatus[]): Promise<PositionRecord> {
    return this.until(`${position.positionKey} to be ${statuses.join(' or ')}`, async () => {
      const record = await this.store.positions.byKey(position.positionKey);
      return record !== null && statuses.includes(record.status) ? record : undefined;
    });
  }

  async until<Value>(what: string, look: () => Promise<Value | undefined>, timeoutMs = 120_000): Promise<Value> {
    const endMs = performance.now() + timeoutMs;
    for (;;) {
      const value = await look();
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
    return intents.map(line).join('; ');
  }

  async scenario(name: string, market: MarketRecord, params: object = {}): Promise<void> {
    await this.#post('/control/scenarios', { name, market: market.ticker, params });
  }

  async advance(seconds: number): Promise<void> {
    await this.#post('/control/clock', { advance_seconds: seconds });
  }

  async #post(route: string, body: object): Promise<void> {
    const response = await fetch(`${this.venue.url}${route}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) {
      throw new Error(`${route} answered ${response.status}: ${await response.text()}`);
    }
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
  const listed = market.record as VenueMarket;
  return listed.category === 'crypto' && market.status === 'active' && (market.closeTimeMs ?? 0) > nowMs + 1_200_000;
}

/** Waits until a spawned keeper is gone; its signal tells a crash from an end. */
export async function exitOf(child: ChildProcess): Promise<NodeJS.Signals | null> {
  if (child.exitCode === null && child.signalCode === null) {
    await once(child, 'exit');
  }
  return child.signalCode;
}

export async function startTestStack(): Promise<TestStack> {
  const closers: (() => Promise<void>)[] = [];
  const chain = await startLocalChain();
  closers.push(() => chain.close());
  const deployment = await deployLocal({ rpcUrl: chain.rpcUrl });
  const { roles, contracts } = deployment;
  const venue = await startVenueSim({
    rpcUrl: chain.rpcUrl,
    chainId: deployment.chainId,
    contracts,
    venueDomain: deployment.venueDomain,
    operatorKey: roles.venueOperator.privateKey,
    oracleKey: roles.oracle.privateKey,
    makerKeys: roles.makers.map(({ privateKey }) => privateKey),
    takerKeys: roles.takers.map(({ privateKey }) => privateKey),
    settlementTimes: { confirmMs: 200 },
    oracleTimes: { requestMs: 200, proposeMs: 200, livenessMs: 500 },
  });
  closers.push(() => venue.close());
  const signer = await startPriceSigner({
    port: 0,
    bearerSecret: secret,
    privateKey: roles.priceSigner.privateKey,
    rpcUrl: chain.rpcUrl,
    chainId: deployment.chainId,
    vault: contracts.vault,
    venueUrl: venue.url,
    marketSocketUrl: `${venue.wsUrl}/ws/market`,
    clockUrl: venue.url,
    logger: silent,
  });
  closers.push(() => signer.close());
  const database = await createTestDatabase();
  closers.push(() => database.close());
  const store = openStore({ databaseUrl: database.databaseUrl });
  closers.push(() => store.close());
  const stack = new TestStack({
    deployment,
    rpcUrl: chain.rpcUrl,
    venue,
    signer,
    store,
    databaseUrl: database.databaseUrl,
    closers,
  });
  await stack.createPartner();
  return stack;
}
