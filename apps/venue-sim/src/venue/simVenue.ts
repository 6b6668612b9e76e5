import type { VenueDomain } from '@core/vault';
import type { VenueProfile } from '@core/venue';
import type { Address } from 'viem';
import { cryptoDraftsAt, nextCryptoListingMs } from '../catalogue/cryptoListings.ts';
import { FixtureBoard } from '../catalogue/fixtureBoard.ts';
import { type Fixture, fixtureDrafts } from '../catalogue/fixtures.ts';
import type { MarketDraft } from '../catalogue/marketDefinition.ts';
import type { WalletRegistry } from '../credentials/walletRegistry.ts';
import type { TradingFloor } from '../market/marketMaking.ts';
import type { OracleTimes } from '../market/resolutionSteps.ts';
import type { Resolution, SimMarket } from '../market/simMarket.ts';
import { BalanceCache } from '../orders/balanceCache.ts';
import { OrderMatching } from '../orders/orderMatching.ts';
import type { TradeRecord } from '../orders/records.ts';
import { SettlementQueue, type SettlementTimes } from '../orders/settlementQueue.ts';
import type { VenueFeed } from '../orders/venueFeed.ts';
import type { Settlement, SettlementMatch } from '../settlement/settlement.ts';
import type { SimulatedAccounts } from '../settlement/simulatedAccounts.ts';
import { hash32 } from '../world/random.ts';
import { SpotWorld } from '../world/spotWorld.ts';
import { MarketRegistry, type MarketRegistryOptions, type RunningMarket } from './marketRegistry.ts';
import type { SimClock } from './simClock.ts';
import { VenueOutages } from './venueOutages.ts';

const minuteMs = 60_000;
/** History of the spot world at opening: enough for the strike of every running daily market. */
const spotHistoryMs = 26 * 60 * minuteMs;

export interface SimVenueOptions extends Pick<MarketRegistryOptions, 'isManaged' | 'isResolvedBefore'> {
  readonly seed: string;
  /** Minimum number of daily strikes per asset. */
  readonly strikesPerAsset: number;
  /** Filter of the markets to list; all by default. */
  readonly isListed?: (draft: MarketDraft) => boolean;
  readonly clock: SimClock;
  readonly feed: VenueFeed;
  readonly settlement: Settlement;
  readonly accounts: SimulatedAccounts;
  readonly wallets: WalletRegistry;
  /** Exchange that orders are signed for. */
  readonly domain: VenueDomain;
  readonly profile: VenueProfile;
  /** True when any account may be a maker; false for the deposit wallet of the key's owner only. */
  readonly acceptsForeignMakers: boolean;
  /** True when balances are cached, and zero until an account requests an update. */
  readonly remembersBalances: boolean;
  /** Account that reports payouts: part of every condition id. */
  readonly oracle: Address;
  /** Account that settles matches on chain; null without a chain. */
  readonly operator: Address | null;
  /** Account that receives fees on chain; null without a chain. */
  readonly feeRecipient: Address | null;
  readonly collateralToken: Address;
  readonly oracleTimes: OracleTimes;
  readonly settlementTimes: SettlementTimes;
  /** Slices of a second over which the ticks of the markets are spread. */
  readonly slicesPerSecond: number;
  /** Called with every instant at which a market was listed. */
  readonly onListed?: (nowMs: number) => void;
  /** Called with every match to settle. */
  readonly onQueued?: (trade: TradeRecord, match: SettlementMatch) => void;
  /** Called with a fault inside the venue; timers never throw. */
  readonly onFault: (what: string, error: unknown) => void;
}

/** Simulated venue without HTTP and sockets: worlds, markets, orders and the oracle on one clock. */
export class SimVenue {
  readonly options: SimVenueOptions;
  readonly spot: SpotWorld;
  readonly orders: OrderMatching;
  readonly balances: BalanceCache | null;
  readonly wallets: WalletRegistry;
  readonly queue: SettlementQueue;
  readonly outages = new VenueOutages();
  readonly markets: MarketRegistry;
  /** Markets without payouts yet, by the slice of the second in which they tick. */
  readonly #slices: Set<RunningMarket>[];
  readonly #board: FixtureBoard;
  readonly #reporting = new Set<Promise<void>>();
  #nextCryptoListingMs = 0;
  #nextSlice = 0;
  #replayCount = 0;

  constructor(options: SimVenueOptions) {
    this.options = options;
    this.#slices = Array.from({ length: options.slicesPerSecond }, () => new Set());
    const { seed, clock, feed, settlement, accounts } = options;
    this.wallets = options.wallets;
    this.balances = options.remembersBalances ? new BalanceCache(settlement) : null;
    const nowMs = (): number => clock.nowMs();
    this.spot = new SpotWorld({ seed, startMs: nowMs() - spotHistoryMs });
    this.#board = new FixtureBoard({
      seed,
      onAnnounced: (fixture) => {
        this.#listAll(fixtureDrafts(fixture));
      },
    });
    const floor: TradingFloor = {
      seed,
      accounts,
      place: (market, order) => this.orders.placeSimulated(market, order),
    };
    this.markets = new MarketRegistry({ ...options, nowMs, floor });
    this.queue = new SettlementQueue({
      settlement,
      feed,
      nowMs,
      times: options.settlementTimes,
      onFault: options.onFault,
      ...(options.onQueued === undefined ? {} : { onQueued: options.onQueued }),
    });
    this.orders = new OrderMatching({
      marketOfToken: (tokenId) => this.markets.byToken(tokenId),
      makers: options,
      balances: this.balances,
      settlement,
      accounts,
      feed,
      queue: this.queue,
      nowMs,
    });
  }

  get nowMs(): number {
    return this.options.clock.nowMs();
  }

  fixtures(): Iterable<Fixture> {
    return this.#board.all();
  }

  fixture(slug: string): Fixture | undefined {
    return this.#board.get(slug);
  }

  /** Open the venue: advance the worlds to the present, then list and quote the first markets. */
  async open(): Promise<void> {
    this.begin();
    await this.markets.listingDone();
    this.tickAll();
  }

  /** Advance the worlds to the present and start to list the first markets. */
  begin(): void {
    this.#board.open(this.nowMs);
    this.advanceWorlds();
  }

  /** Replays are numbered, so that a market replayed twice has two slugs. */
  nextReplayNumber(): number {
    this.#replayCount += 1;
    return this.#replayCount;
  }

  /** Restore an outcome that was reported before a restart. */
  markResolved(slug: string, { resolution, closedMs }: { readonly resolution: Resolution; readonly closedMs: number }) {
    const running = this.markets.bySlug(slug);
    if (running === undefined) return;
    running.making.withdraw();
    Object.assign(running.market, { stage: 'resolved', resolution, closedMs });
    for (const slice of this.#slices) slice.delete(running);
  }

  /** Advance the worlds and the catalogue to the current time. */
  advanceWorlds(): void {
    const nowMs = this.nowMs;
    this.spot.advanceTo(nowMs);
    this.#board.advance(nowMs);
    if (nowMs >= this.#nextCryptoListingMs) {
      this.#nextCryptoListingMs = nextCryptoListingMs(nowMs);
      const { strikesPerAsset, profile } = this.options;
      // Where records state their rules, short markets are settled as the real venue's are.
      const areEndsAveraged = profile.unstatedSettlement === 'unknown';
      this.#listAll(cryptoDraftsAt(this.spot, nowMs, { strikesPerAsset, areEndsAveraged }));
    }
  }

  /** List the markets of the worlds that are due. */
  #listAll(drafts: readonly MarketDraft[]): void {
    const { isListed = () => true } = this.options;
    for (const draft of drafts.filter(isListed)) this.list(draft);
  }

  /** Wait until no payout report is pending. */
  async reportingDone(): Promise<void> {
    while (this.#reporting.size > 0) await Promise.all(this.#reporting);
  }

  /** List a market unless its slug exists. Trading starts once the settlement layer has it. */
  list(draft: MarketDraft): RunningMarket {
    const existing = this.markets.bySlug(draft.slug);
    if (existing !== undefined) return existing;
    const running = this.markets.add(draft);
    this.#slices[hash32(draft.slug) % this.#slices.length]?.add(running);
    this.options.onListed?.(this.nowMs);
    this.options.feed.listed(running.market);
    return running;
  }

  /** Tick the markets of the next slice. The cost of a tick does not depend on the number of markets. */
  tickSlice(): void {
    this.advanceWorlds();
    const slice = this.#slices[this.#nextSlice % this.#slices.length] ?? new Set();
    this.#nextSlice += 1;
    for (const running of slice) this.tick(running);
    this.orders.matchDelayed();
    this.orders.expire();
    this.queue.run();
  }

  /** Tick every live market: after a clock change, and before the first request is served. */
  tickAll(): void {
    for (const slice of this.#slices) {
      for (const running of slice) this.tick(running, true);
    }
    this.orders.matchDelayed();
    this.orders.expire();
    this.queue.run();
  }

  /** Tick one market: end of trading, quotes, takers and events. */
  tick(running: RunningMarket, isWholeBookSent = false): void {
    const { market, making, steps } = running;
    const nowMs = this.nowMs;
    this.#endIfOver(running, nowMs);
    const report = steps.advance(nowMs, market.definition.fairSource.outcomeAt(nowMs));
    if (report !== null) void this.#report(running, report);
    this.markets.retryListing(market);
    if (market.stage !== 'trading' || !market.isListed || market.effects.isStaleAt(nowMs)) return;
    const { oldTickPricePips } = making.quote(nowMs);
    if (!market.definition.isNegRisk) making.takeSometimes(nowMs);
    this.#recordMinute(market, nowMs);
    const changed = market.book.drainChanged();
    market.markChanged(nowMs);
    const { feed } = this.options;
    if (oldTickPricePips !== null) feed.tickSize(market, oldTickPricePips);
    if (changed.length === 0 || isWholeBookSent || oldTickPricePips !== null) feed.book(market);
    else feed.priceChange(market, changed);
  }

  #recordMinute(market: SimMarket, nowMs: number): void {
    const atSeconds = Math.floor(nowMs / minuteMs) * 60;
    const mid = market.midPips();
    if (mid === null || (market.history.at(-1)?.atSeconds ?? 0) >= atSeconds) return;
    market.history.push({ atSeconds, pricePips: mid });
  }

  #endIfOver(running: RunningMarket, nowMs: number): void {
    const { market } = running;
    if (market.stage !== 'trading') return;
    const { tradingEndMs, event } = market.definition;
    const gameEndMs = event.gameSlug === null ? null : (this.#board.get(event.gameSlug)?.endedMs ?? null);
    const endMs = tradingEndMs ?? gameEndMs;
    if (endMs !== null && nowMs >= endMs) this.endTrading(running, endMs);
  }

  /** End trading and clear the book. */
  endTrading(running: RunningMarket, endedMs: number): void {
    const { market, making, steps } = running;
    if (market.stage !== 'trading') return;
    steps.end(endedMs);
    making.withdraw();
    for (const record of this.orders.ledger.restingIn(market)) this.orders.cancel(record.id);
    market.book.drainChanged();
    market.markChanged(this.nowMs);
    this.options.feed.book(market);
  }

  /** Report the payouts of a market and publish its resolution. */
  resolveNow(running: RunningMarket, outcome: Resolution): Promise<void> {
    this.endTrading(running, this.nowMs);
    return this.#report(running, running.steps.reportNow(outcome, this.nowMs));
  }

  #report(running: RunningMarket, outcome: Resolution): Promise<void> {
    const reported = this.#reportWhereItSettles(running, outcome).finally(() => this.#reporting.delete(reported));
    this.#reporting.add(reported);
    return reported;
  }

  async #reportWhereItSettles(running: RunningMarket, outcome: Resolution): Promise<void> {
    const { market, steps } = running;
    const payouts =
      outcome === 'void' ? ([1n, 1n] as const) : outcome === 0 ? ([1n, 0n] as const) : ([0n, 1n] as const);
    try {
      // The wrapped collateral of a neg-risk market does not exist here: nothing to pay out on chain.
      if (!market.definition.isNegRisk) await this.options.settlement.report(market.definition, payouts);
      market.stage = 'resolved';
      market.resolution = outcome;
      market.closedMs = this.nowMs;
      for (const slice of this.#slices) slice.delete(running);
      this.options.feed.resolved(market);
    } catch (error) {
      steps.reportFailed();
      this.options.onFault(`reporting ${market.slug}`, error);
    }
  }
}
