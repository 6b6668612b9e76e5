import { existsSync } from 'node:fs';
import { Fault } from '@core/errors';
import { raw } from '@core/pricing';
import { type HeadState, HeadWatch } from '@core/runtime';
import { isVenueFault } from '@core/venue';
import type { Hex } from 'viem';
import { grantIdOf, type Head, type LiveGrant } from '../chain/vaultGrants.ts';
import { chooseFills, groupsOf, type ObservedMarket, type ReservedFill } from './chooseFills.ts';
import type { FillerParts } from './fillerParts.ts';
import { type FillOutcome, type FillTask, fillGrants } from './fillGrant.ts';
import { MarketClaims } from './marketClaims.ts';
import { HeldTokenSeller } from './sellHeld.ts';

export interface FillerOptions {
  /** File that stops new fills while it exists. */
  readonly stopFile: string;
  /** Oldest last block of a chain that moves, on the service clock. */
  readonly maxHeadAgeMs: number;
}

/** Pause while no grant is live: each round is a call to the node, and a grant lives for seconds. */
const quietMs = 400;
/** Pause of openings in a market in which the venue did not sell what its book showed. */
const distrustMs = 30_000;

type ReservedGroup = readonly [ReservedFill, ...ReservedFill[]];

/** Filler of one account: it reads every live grant again and again, and sells what fills leave over. */
export class Filler {
  readonly #parts: FillerParts;
  readonly #options: FillerOptions;
  readonly #seller: HeldTokenSeller;
  /** Fills in progress by the id of their grant. */
  readonly #running = new Map<string, { readonly fill: ReservedFill; readonly end: Promise<void> }>();
  readonly #claims = new MarketClaims();
  readonly #distrustedUntilMs = new Map<string, number>();
  readonly #head: HeadWatch;
  /** Time of the next read of the chain while no grant is live. */
  #quietUntilMs = 0;

  constructor(parts: FillerParts, options: FillerOptions) {
    this.#parts = parts;
    this.#options = options;
    this.#seller = new HeldTokenSeller(parts);
    this.#head = new HeadWatch(options.maxHeadAgeMs);
  }

  get isStopped(): boolean {
    return existsSync(this.#options.stopFile);
  }

  /** Age of the last block that a round read, and whether blocks come. */
  get head(): HeadState {
    return this.#head.state(this.#instant());
  }

  /** Read the last block, as each round does. @throws Fault when the chain does not answer. */
  async observeHead(): Promise<Head> {
    const head = await this.#parts.grants.head();
    this.#head.observe(head.timeSeconds * 1_000, this.#instant());
    return head;
  }

  #instant() {
    return { nowMs: this.#parts.clock.nowMs(), atMs: performance.now() };
  }

  /**
   * Look at every live grant once and start the fills that are covered. The round does not wait for them.
   * @throws Fault when the chain does not answer.
   */
  async round(): Promise<void> {
    const { grants, metrics } = this.#parts;
    if (performance.now() < this.#quietUntilMs) return;
    const head = await this.observeHead();
    const live = await grants.live(head);
    this.#quietUntilMs = live.length === 0 ? performance.now() + quietMs : 0;
    metrics.liveGrants.set(live.length);
    metrics.stuckMarkets.set(this.#seller.doubts.count);
    const { isStopped } = this;
    metrics.isStopped.set(isStopped ? 1 : 0);
    if (isStopped) return;
    const idle = live.filter((grant) => !this.#running.has(grantIdOf(grant)));
    if (idle.length === 0) return;
    const usdc = await this.#parts.account.usdcUnits();
    const markets = await this.#observeMarkets(idle);
    const isDoubted = (grant: LiveGrant): boolean => this.#isDoubted(grant);
    const fills = chooseFills(this.#parts, idle, { head, usdc, markets, claims: this.#claims, isDoubted });
    for (const group of groupsOf(fills)) this.#start(group);
  }

  /** Sell what fills left over. @throws Fault when chain or venue do not answer. */
  sellHeld(): Promise<void> {
    return this.#seller.sellAll((conditionId) => this.#isBusy(conditionId));
  }

  /** Wait for the fills in progress, and cancel the resting orders. */
  async finish(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ end }) => end));
    await this.#seller.finish();
  }

  /** Return true for a market whose books are doubted: the venue did not trade what they showed. */
  #isDoubted({ conditionId }: LiveGrant): boolean {
    const isDistrusted = performance.now() < (this.#distrustedUntilMs.get(conditionId) ?? 0);
    return isDistrusted || this.#seller.doubts.has(conditionId);
  }

  /** Read books and balances of each market once; null where they cannot be read. */
  async #observeMarkets(live: readonly LiveGrant[]): Promise<ReadonlyMap<Hex, ObservedMarket | null>> {
    const conditionIds = [...new Set(live.map(({ conditionId }) => conditionId))];
    const markets = await Promise.all(conditionIds.map((conditionId) => this.#observeMarket(conditionId)));
    return new Map(conditionIds.map((conditionId, index) => [conditionId, markets[index] ?? null]));
  }

  async #observeMarket(conditionId: Hex): Promise<ObservedMarket | null> {
    const { books, account, logger } = this.#parts;
    try {
      const marketBooks = await books.of(conditionId);
      return marketBooks === null ? null : { books: marketBooks, held: await account.held(marketBooks.market) };
    } catch (err) {
      logger[isExpected(err) ? 'warn' : 'error']({ err, conditionId }, 'market cannot be read');
      return null;
    }
  }

  #start(group: ReservedGroup): void {
    const [{ live }] = group;
    this.#seller.noteFill(live.conditionId);
    const end = this.#fillAndSell(group).finally(() => {
      for (const fill of group) this.#end(fill);
      if (!this.#isBusy(live.conditionId)) this.#claims.end(live.conditionId);
    });
    for (const fill of group) this.#running.set(grantIdOf(fill.live), { fill, end });
  }

  /** End a fill, so that its grant is considered again while it lives. One that has begun again is another fill. */
  #end(fill: ReservedFill): void {
    this.#parts.float.release(fill.reservation);
    const id = grantIdOf(fill.live);
    if (this.#running.get(id)?.fill === fill) this.#running.delete(id);
  }

  /** Fill grants, and sell what is left at once: each second in which tokens are not sold is a risk. */
  async #fillAndSell(group: ReservedGroup): Promise<void> {
    const { logger } = this.#parts;
    const [{ live }] = group;
    await this.#run(group);
    if (this.#isBusy(live.conditionId, group)) return;
    await this.#seller.sell(live.conditionId).catch((err: unknown) => {
      logger[isExpected(err) ? 'warn' : 'error']({ err, conditionId: live.conditionId }, 'tokens are not sold yet');
    });
  }

  async #run(group: ReservedGroup): Promise<void> {
    const { logger } = this.#parts;
    try {
      const outcomes = await fillGrants(this.#parts, group);
      for (const fill of group) {
        const outcome = outcomes.get(fill.live.positionKey) ?? 'refused';
        this.#note(fill, outcome);
        if (outcome !== 'filled') this.#end(fill);
      }
    } catch (err) {
      for (const fill of group) {
        this.#count(fill, 'failed');
        logger[isExpected(err) ? 'warn' : 'error']({ ...factsOf(fill), err }, 'fill failed');
      }
    }
  }

  /** Return true while a fill of a market is in progress, other than these. */
  #isBusy(conditionId: string, group: readonly ReservedFill[] = []): boolean {
    return [...this.#running.values()].some(
      ({ fill }) => fill.live.conditionId === conditionId && !group.includes(fill),
    );
  }

  #note(fill: FillTask, outcome: FillOutcome): void {
    const { conditionId } = fill.live;
    this.#count(fill, outcome);
    if (outcome === 'not_bought') this.#distrustedUntilMs.set(conditionId, performance.now() + distrustMs);
    this.#parts.logger.info({ ...factsOf(fill), outcome }, 'grant handled');
  }

  #count({ live, chosen }: FillTask, outcome: FillOutcome | 'failed'): void {
    this.#parts.metrics.fills.inc({ purpose: live.purpose, way: chosen.way, outcome });
  }
}

/** Return the fields of a fill in the log. */
const factsOf = ({ live, chosen }: FillTask) => ({
  positionKey: live.positionKey,
  purpose: live.purpose,
  way: chosen.way,
  tokenUnits: raw(chosen.fill.tokenUnits),
  usdcUnits: raw(chosen.fill.usdcUnits),
});

/** Return true for a failure of chain or venue; any other is a bug, which ends the item it concerns alone. */
const isExpected = (error: unknown): boolean => error instanceof Fault || isVenueFault(error);
