import { conditionIdOf, managedTokenIdsOf, tokenIdsOf } from '@core/vault';
import { type Address, concat, type Hex, keccak256, size, slice, toHex } from 'viem';
import type { MarketDefinition, MarketDraft } from '../catalogue/marketDefinition.ts';
import { seedHolders } from '../market/holders.ts';
import { MarketMaking, type TradingFloor } from '../market/marketMaking.ts';
import { type OracleTimes, ResolutionSteps } from '../market/resolutionSteps.ts';
import { SimMarket } from '../market/simMarket.ts';
import type { Settlement } from '../settlement/settlement.ts';

const minuteMs = 60_000;
/** Length of a new market's price history. */
const historyMs = 180 * minuteMs;

/** Market with its makers and its resolution. */
export interface RunningMarket {
  readonly market: SimMarket;
  readonly making: MarketMaking;
  readonly steps: ResolutionSteps;
}

export interface MarketRegistryOptions {
  readonly floor: TradingFloor;
  readonly settlement: Settlement;
  /** Account that reports payouts: part of every condition id. */
  readonly oracle: Address;
  readonly collateralToken: Address;
  readonly oracleTimes: OracleTimes;
  readonly nowMs: () => number;
  /** Markets resolved before a restart: they are not registered on the settlement layer again. */
  readonly isResolvedBefore?: (slug: string) => boolean;
  /** Returns true for a market of the PositionManager; none by default. */
  readonly isManaged?: (draft: MarketDraft) => boolean;
  readonly onFault: (what: string, error: unknown) => void;
}

/** Markets of the venue, indexed by slug, token and condition, with their registration on the settlement layer. */
export class MarketRegistry {
  /** Every market ever listed, oldest first. */
  readonly listed: RunningMarket[] = [];
  /** Sport markets without a simulated game: replays, whose game follows their clock. */
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

  /** Add a market of a new slug and start to register it on the settlement layer. */
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

  /** Retry a failed listing, as after an outage of the chain. */
  retryListing(market: SimMarket): void {
    if (!market.isListed && !this.#listing.has(market)) this.#start(market);
  }

  #define(draft: MarketDraft): MarketDefinition {
    const { floor, oracle, collateralToken, isManaged = () => false } = this.#options;
    const questionId = keccak256(toHex(`${floor.seed}/${draft.slug}`));
    const id = (1_000_001 + this.listed.length).toString();
    const listed = { ...draft, id, questionId, listedMs: this.#options.nowMs() };
    if (isManaged(draft)) return { ...listed, version: 'v2', ...managedIdsOf(questionId) };
    const conditionId = conditionIdOf({ oracle, questionId });
    // Neg-risk tokens derive from a wrapped collateral, so that they must not match this one.
    const wrapped: Address = `0x${keccak256(toHex('wrapped collateral')).slice(26)}`;
    const tokenIds = tokenIdsOf({ collateralToken: draft.isNegRisk ? wrapped : collateralToken, conditionId });
    return { ...listed, version: 'v1', conditionId, tokenIds };
  }

  #start(market: SimMarket): void {
    if (market.definition.isNegRisk || this.#options.isResolvedBefore?.(market.slug) === true) {
      market.isListed = true;
      return;
    }
    const listing = this.#listWhereItSettles(market).finally(() => this.#listing.delete(market));
    this.#listing.set(market, listing);
  }

  async #listWhereItSettles(market: SimMarket): Promise<void> {
    try {
      await this.#options.settlement.list(market.definition);
      market.isListed = true;
    } catch (error) {
      this.#options.onFault(`listing ${market.slug}`, error);
    }
  }

  /** Wait until every market listed so far may trade. */
  async listingDone(): Promise<void> {
    while (this.#listing.size > 0) await Promise.all(this.#listing.values());
  }

  /** Add the missing minutes of each price history up to now. */
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

/** Return a native binary condition of a question, padded to 32 bytes, and its token ids. */
function managedIdsOf(questionId: Hex): Pick<MarketDefinition, 'conditionId' | 'tokenIds'> {
  const native = concat(['0x01', slice(questionId, 0, 16)]);
  const conditionId = concat([native, toHex(0, { size: 32 - size(native) })]);
  const tokenIds = managedTokenIdsOf(conditionId);
  if (tokenIds === null) throw new Error(`${conditionId} is no native condition`);
  return { conditionId, tokenIds };
}
