import { conditionIdOf, tokenIdsOf } from '@core/vault';
import { type Address, keccak256, toHex } from 'viem';
import type { MarketDefinition, MarketDraft } from '../catalogue/marketDefinition.ts';
import { seedHolders } from '../market/holders.ts';
import { MarketMaking, type TradingFloor } from '../market/marketMaking.ts';
import { type OracleTimes, ResolutionSteps } from '../market/resolutionSteps.ts';
import { SimMarket } from '../market/simMarket.ts';
import type { Settlement } from '../settlement/settlement.ts';

const minuteMs = 60_000;
/** How far back a new market's price history reaches. */
const historyMs = 180 * minuteMs;

/** One market with everything that acts in it. */
export interface RunningMarket {
  readonly market: SimMarket;
  readonly making: MarketMaking;
  readonly steps: ResolutionSteps;
}

export interface MarketRegistryOptions {
  readonly floor: TradingFloor;
  readonly settlement: Settlement;
  /** The account that reports payouts: part of every condition id. */
  readonly oracle: Address;
  readonly collateralToken: Address;
  readonly oracleTimes: OracleTimes;
  readonly nowMs: () => number;
  readonly isResolvedBefore?: (slug: string) => boolean;
  readonly onFault: (what: string, error: unknown) => void;
}

/** Every market of the venue, found by slug, token and condition, and its listing where it settles. */
export class MarketRegistry {
  /** Every market ever listed, oldest first. */
  readonly listed: RunningMarket[] = [];
  /** Sport markets without a game of this world: replays, whose game follows their clock. */
  readonly replayedGames: RunningMarket[] = [];
  readonly #options: MarketRegistryOptions;
  readonly #bySlug = new Map<string, RunningMarket>();
  readonly #byToken = new Map<bigint, SimMarket>();
  readonly #byCondition = new Map<string, RunningMarket>();
  readonly #listing = new Map<SimMarket, Promise<void>>();

  constructor(options: MarketRegistryOptions) {
    this.#options = options;
  }

  bySlug(slug: string): RunningMarket | undefined {
    return this.#bySlug.get(slug);
  }

  byToken(tokenId: bigint): SimMarket | undefined {
    return this.#byToken.get(tokenId);
  }

  byCondition(conditionId: string): RunningMarket | undefined {
    return this.#byCondition.get(conditionId.toLowerCase());
  }

  /** Adds a market of a new slug and starts to list it where it settles. */
  add(draft: MarketDraft): RunningMarket {
    const { floor, oracleTimes } = this.#options;
    const definition = this.#define(draft);
    const market = new SimMarket(definition);
    const running: RunningMarket = {
      market,
      making: new MarketMaking(market, floor),
      steps: new ResolutionSteps(market, oracleTimes),
    };
    seedHolders(market, floor.seed);
    this.#fillHistory(market);
    this.listed.push(running);
    if (draft.gameStartMs !== null && draft.event.gameSlug === null) this.replayedGames.push(running);
    this.#bySlug.set(draft.slug, running);
    this.#byCondition.set(definition.conditionId, running);
    for (const tokenId of definition.tokenIds) this.#byToken.set(tokenId, market);
    this.#start(market);
    return running;
  }

  /** Lists a market again that could not be listed: the chain may have been away. */
  retryListing(market: SimMarket): void {
    if (!market.isListed && !this.#listing.has(market)) this.#start(market);
  }

  #define(draft: MarketDraft): MarketDefinition {
    const { floor, oracle, collateralToken } = this.#options;
    const questionId = keccak256(toHex(`${floor.seed}/${draft.slug}`));
    const conditionId = conditionIdOf({ oracle, questionId });
    // Neg-risk tokens derive from a wrapped collateral: derived from this one they must not fit.
    const wrapped: Address = `0x${keccak256(toHex('wrapped collateral')).slice(26)}`;
    const tokenIds = tokenIdsOf({ collateralToken: draft.isNegRisk ? wrapped : collateralToken, conditionId });
    const id = (1_000_001 + this.listed.length).toString();
    return { ...draft, id, questionId, conditionId, tokenIds, listedMs: this.#options.nowMs() };
  }

  #start(market: SimMarket): void {
    if (market.definition.isNegRisk || this.#options.isResolvedBefore?.(market.slug) === true) {
      market.isListed = true;
      return;
    }
    const started = this.#listWhereItSettles(market).finally(() => this.#listing.delete(market));
    this.#listing.set(market, started);
  }

  async #listWhereItSettles(market: SimMarket): Promise<void> {
    try {
      await this.#options.settlement.list(market.definition);
      market.isListed = true;
    } catch (error) {
      this.#options.onFault(`listing ${market.slug}`, error);
    }
  }

  /** Resolves when every market listed so far may trade. */
  async listingDone(): Promise<void> {
    while (this.#listing.size > 0) await Promise.all(this.#listing.values());
  }

  /** Adds the minutes that passed between the last point of each history and now. */
  fillHistories(): void {
    for (const { market } of this.listed) if (market.stage === 'trading') this.#fillHistory(market);
  }

  #fillHistory(market: SimMarket): void {
    const nowMs = this.#options.nowMs();
    const knownMs = ((market.history.at(-1)?.atSeconds ?? 0) + 60) * 1000;
    const firstMs = Math.max(knownMs, Math.ceil((nowMs - historyMs) / minuteMs) * minuteMs);
    for (let atMs = firstMs; atMs < nowMs; atMs += minuteMs) {
      const fair = market.definition.fairSource.pastFairAt(atMs);
      if (fair === null) continue;
      const pricePips = BigInt(Math.round(Math.min(0.999, Math.max(0.001, fair)) * 1000)) * 10n;
      market.history.push({ atSeconds: atMs / 1000, pricePips });
    }
  }
}
