import { conditionIdOf, tokenIdsOf, type VenueDomain } from '@core/vault';
import { type Address, keccak256, toHex } from 'viem';
import { cryptoDraftsAt, nextCryptoTurnMs } from './catalogue/cryptoListings.ts';
import { FixtureBoard } from './catalogue/fixtureBoard.ts';
import { type Fixture, fixtureDrafts } from './catalogue/fixtures.ts';
import type { MarketDefinition, MarketDraft } from './catalogue/marketDefinition.ts';
import { seedHolders } from './market/holders.ts';
import { MarketMaking, type TradingFloor } from './market/marketMaking.ts';
import { type OracleTimes, ResolutionSteps } from './market/resolutionSteps.ts';
import { type Resolution, SimMarket } from './market/simMarket.ts';
import type { VenueFeed } from './market/venueFeed.ts';
import { OrderDesk } from './orders/orderDesk.ts';
import { SettlementQueue, type SettlementTimes } from './orders/settlementQueue.ts';
import { hash32 } from './random.ts';
import { VenueOutages } from './scenario/venueOutages.ts';
import type { Settlement } from './settle/settlement.ts';
import type { SimulatedAccounts } from './settle/simulatedAccounts.ts';
import type { SimClock } from './simClock.ts';
import { SpotWorld } from './world/spotWorld.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** How much of the past the spot world knows when the venue opens: enough for every running daily market's strike. */
const spotHistoryMs = 26 * hourMs;
/** How far back a fresh market's price history reaches. */
const historyMs = 3 * hourMs;

/** The pulse: markets tick once a second, spread over this many beats so that none waits for all others. */
export const beatsPerSecond = 20;

export interface SimVenueOptions {
  readonly seed: string;
  readonly clock: SimClock;
  readonly feed: VenueFeed;
  readonly settlement: Settlement;
  readonly accounts: SimulatedAccounts;
  readonly domain: VenueDomain;
  /** Who reports payouts: part of every condition id. */
  readonly oracle: Address;
  /** Who settles matches on chain; null without one. */
  readonly operator: Address | null;
  /** Who receives fees on chain; null without one. */
  readonly feeRecipient: Address | null;
  readonly collateralToken: Address;
  readonly oracleTimes: OracleTimes;
  readonly settlementTimes: SettlementTimes;
  /** Where a fault inside the venue is told; nothing is thrown into timers. */
  readonly onFault: (what: string, error: unknown) => void;
}

/** One market with everything that acts in it. */
export interface RunningMarket {
  readonly market: SimMarket;
  readonly making: MarketMaking;
  readonly steps: ResolutionSteps;
}

/** The venue itself: worlds, markets, orders and the oracle, on one clock. HTTP and sockets are outside of it. */
export class SimVenue {
  readonly options: SimVenueOptions;
  readonly spot: SpotWorld;
  readonly desk: OrderDesk;
  readonly queue: SettlementQueue;
  readonly outages = new VenueOutages();
  /** Every market ever listed, oldest first. */
  readonly listed: RunningMarket[] = [];
  /** Sport markets without a game of this world: replays, whose game is told from their clock. */
  readonly replayedGames: RunningMarket[] = [];
  readonly #bySlug = new Map<string, RunningMarket>();
  readonly #byToken = new Map<bigint, SimMarket>();
  readonly #byCondition = new Map<string, RunningMarket>();
  /** Markets without payouts yet, by the beat they tick on. */
  readonly #beats: Set<RunningMarket>[] = Array.from({ length: beatsPerSecond }, () => new Set());
  readonly #board: FixtureBoard;
  readonly #floor: TradingFloor;
  readonly #listing = new Map<SimMarket, Promise<void>>();
  readonly #reporting = new Set<Promise<void>>();
  #nextTurnMs = 0;
  #nextBeat = 0;

  constructor(options: SimVenueOptions) {
    this.options = options;
    const { seed, clock, feed, settlement, accounts, domain } = options;
    const nowMs = (): number => clock.nowMs();
    this.spot = new SpotWorld({ seed, startMs: nowMs() - spotHistoryMs });
    this.#board = new FixtureBoard({
      seed,
      onAnnounced: (fixture) => {
        for (const draft of fixtureDrafts(fixture)) this.list(draft);
      },
    });
    this.queue = new SettlementQueue({
      settlement,
      feed,
      nowMs,
      times: options.settlementTimes,
      onFault: options.onFault,
    });
    this.desk = new OrderDesk({
      marketOfToken: (tokenId) => this.#byToken.get(tokenId),
      domain,
      settlement,
      accounts,
      feed,
      queue: this.queue,
      nowMs,
    });
    this.#floor = { seed, accounts, place: (market, order) => this.desk.placeSimulated(market, order) };
  }

  get nowMs(): number {
    return this.options.clock.nowMs();
  }

  market(slug: string): RunningMarket | undefined {
    return this.#bySlug.get(slug);
  }

  marketOfToken(tokenId: bigint): SimMarket | undefined {
    return this.#byToken.get(tokenId);
  }

  marketOfCondition(conditionId: string): RunningMarket | undefined {
    return this.#byCondition.get(conditionId.toLowerCase());
  }

  fixtures(): Iterable<Fixture> {
    return this.#board.all();
  }

  fixture(slug: string): Fixture | undefined {
    return this.#board.get(slug);
  }

  /** Opens the venue: worlds brought to the present, the first markets listed and quoted. */
  async open(): Promise<void> {
    this.#board.open(this.nowMs);
    this.advanceWorlds();
    await this.listingDone();
    this.tickAll();
  }

  /** Brings the worlds and the catalogue to the clock's present. */
  advanceWorlds(): void {
    const nowMs = this.nowMs;
    this.spot.advanceTo(nowMs);
    this.#board.advance(nowMs);
    if (nowMs >= this.#nextTurnMs) {
      this.#nextTurnMs = nextCryptoTurnMs(nowMs);
      for (const draft of cryptoDraftsAt(this.spot, nowMs)) this.list(draft);
    }
  }

  /** Lists a market unless one of its slug exists. Trading starts when it exists where it settles. */
  list(draft: MarketDraft): RunningMarket {
    const existing = this.#bySlug.get(draft.slug);
    if (existing !== undefined) return existing;
    const definition = this.#define(draft);
    const market = new SimMarket(definition);
    const running: RunningMarket = {
      market,
      making: new MarketMaking(market, this.#floor),
      steps: new ResolutionSteps(market, this.options.oracleTimes),
    };
    seedHolders(market, this.options.seed);
    this.#fillHistory(market);
    this.listed.push(running);
    if (draft.gameStartMs !== null && draft.event.gameSlug === null) this.replayedGames.push(running);
    this.#bySlug.set(draft.slug, running);
    this.#byCondition.set(definition.conditionId, running);
    for (const tokenId of definition.tokenIds) this.#byToken.set(tokenId, market);
    this.#beats[hash32(draft.slug) % beatsPerSecond]?.add(running);
    this.#start(market);
    return running;
  }

  #define(draft: MarketDraft): MarketDefinition {
    const { seed, oracle, collateralToken } = this.options;
    const questionId = keccak256(toHex(`${seed}/${draft.slug}`));
    const conditionId = conditionIdOf({ oracle, questionId });
    // Neg-risk tokens derive from a wrapped collateral: derived from this one they must not fit.
    const wrapped: Address = `0x${keccak256(toHex('wrapped collateral')).slice(26)}`;
    const tokenIds = tokenIdsOf({ collateralToken: draft.isNegRisk ? wrapped : collateralToken, conditionId });
    const id = (1_000_001 + this.listed.length).toString();
    return { ...draft, id, questionId, conditionId, tokenIds, listedMs: this.nowMs };
  }

  #start(market: SimMarket): void {
    if (market.definition.isNegRisk) {
      market.isListed = true;
      return;
    }
    const started = this.#startOnGround(market).finally(() => this.#listing.delete(market));
    this.#listing.set(market, started);
  }

  async #startOnGround(market: SimMarket): Promise<void> {
    try {
      await this.options.settlement.list(market.definition);
      market.isListed = true;
    } catch (error) {
      this.options.onFault(`listing ${market.slug}`, error);
    }
  }

  /** Resolves when every market listed so far may trade. */
  async listingDone(): Promise<void> {
    while (this.#listing.size > 0) await Promise.all(this.#listing.values());
  }

  /** Resolves when no payout report is under way. */
  async reportingDone(): Promise<void> {
    while (this.#reporting.size > 0) await Promise.all(this.#reporting);
  }

  #fillHistory(market: SimMarket): void {
    const nowMs = this.nowMs;
    const firstMs = Math.ceil((nowMs - historyMs) / minuteMs) * minuteMs;
    for (let atMs = firstMs; atMs < nowMs; atMs += minuteMs) {
      const fair = market.definition.fairSource.pastFairAt(atMs);
      if (fair === null) continue;
      const pricePips = BigInt(Math.round(Math.min(0.999, Math.max(0.001, fair)) * 1000)) * 10n;
      market.history.push({ atSeconds: atMs / 1000, pricePips });
    }
  }

  /** One beat of the pulse: the markets whose turn it is. Its cost does not depend on how many others there are. */
  beat(): void {
    this.advanceWorlds();
    const turn = this.#beats[this.#nextBeat % beatsPerSecond] ?? new Set();
    this.#nextBeat += 1;
    for (const running of turn) this.tick(running);
    this.desk.expire();
    this.queue.run();
  }

  /** Every live market at once: after the clock was moved, and before the doors open. */
  tickAll(): void {
    for (const turn of this.#beats) {
      for (const running of turn) this.tick(running, true);
    }
    this.desk.expire();
    this.queue.run();
  }

  /** One tick of one market: its end, its quotes, its takers, its news. */
  tick(running: RunningMarket, isWholeBookTold = false): void {
    const { market, making, steps } = running;
    const nowMs = this.nowMs;
    this.#endIfOver(running, nowMs);
    const report = steps.advance(nowMs, market.definition.fairSource.outcomeAt(nowMs));
    if (report !== null) void this.#report(running, report);
    // A market that could not be listed is tried again: the chain may have been away.
    if (!market.isListed && !this.#listing.has(market)) this.#start(market);
    if (market.stage !== 'trading' || !market.isListed || market.effects.isStaleAt(nowMs)) return;
    const { oldTickPricePips } = making.quote(nowMs);
    if (!market.definition.isNegRisk) making.takeSometimes(nowMs);
    this.#recordMinute(market, nowMs);
    const touched = market.book.drainTouched();
    market.markChanged(nowMs);
    const { feed } = this.options;
    if (oldTickPricePips !== null) feed.tickSize(market, oldTickPricePips);
    if (touched.length === 0 || isWholeBookTold || oldTickPricePips !== null) feed.book(market);
    else feed.priceChange(market, touched);
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

  /** Ends trading: nothing rests in the book any more. */
  endTrading(running: RunningMarket, endedMs: number): void {
    const { market, making, steps } = running;
    if (market.stage !== 'trading') return;
    steps.end(endedMs);
    making.withdraw();
    for (const record of this.desk.ledger.restingIn(market)) this.desk.cancel(record.id);
    market.book.drainTouched();
    market.markChanged(this.nowMs);
    this.options.feed.book(market);
  }

  /** Writes the payouts of a market and says so. */
  resolveNow(running: RunningMarket, outcome: Resolution): Promise<void> {
    this.endTrading(running, this.nowMs);
    return this.#report(running, running.steps.reportNow(outcome, this.nowMs));
  }

  #report(running: RunningMarket, outcome: Resolution): Promise<void> {
    const reported = this.#reportOnGround(running, outcome).finally(() => this.#reporting.delete(reported));
    this.#reporting.add(reported);
    return reported;
  }

  async #reportOnGround(running: RunningMarket, outcome: Resolution): Promise<void> {
    const { market, steps } = running;
    const payouts =
      outcome === 'void' ? ([1n, 1n] as const) : outcome === 0 ? ([1n, 0n] as const) : ([0n, 1n] as const);
    try {
      // The wrapped collateral of a neg-risk market does not exist here: nothing to pay out on chain.
      if (!market.definition.isNegRisk) await this.options.settlement.report(market.definition, payouts);
      market.stage = 'resolved';
      market.resolution = outcome;
      market.closedMs = this.nowMs;
      for (const beat of this.#beats) beat.delete(running);
      this.options.feed.resolved(market);
    } catch (error) {
      steps.reportFailed();
      this.options.onFault(`reporting ${market.slug}`, error);
    }
  }
}
