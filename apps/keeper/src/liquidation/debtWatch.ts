import { setImmediate as nextTurn } from 'node:timers/promises';
import { type MarketRecord, type MarketSnapshot, plainOverlayOf, sideOf } from '@core/market';
import { type CoverInputs, type PolicyConfig, saleMarkOf } from '@core/policy';
import type { Position } from '@core/position';
import type { PricePips } from '@core/pricing';
import { type Clock, type MarketShare, marketShareName } from '@core/runtime';
import type { ExitSale, ExitWait } from '@core/store';
import { type MarketWatch } from '@core/venue';
import type { IsolatedItems } from '../runner/isolatedItems.ts';
import type { WatchedDebt } from './coverWatch.ts';
import { type DueDebt, DueDebts, isOwing } from './dueDebts.ts';
import { isForcedSale } from './forcedSale.ts';

/** Market data that the debt watch needs. */
export type MarkFeed = Pick<MarketWatch, 'watch' | 'unwatch' | 'mark' | 'snapshotOf' | 'onTick' | 'health'>;

/** A position and its market. */
export interface ChangedPosition {
  readonly position: Position;
  readonly market: MarketRecord;
  /** True when an earlier keeper observed its hard exit in force. */
  readonly wasHardExitInForce?: boolean;
}

/** Last round that checked all debts of a share. */
export interface ShareRound {
  readonly share: MarketShare;
  readonly ageMs: number;
}

/** Positions added before the event loop continues: ten milliseconds of work. */
const portion = 500;

export interface DebtWatchOptions {
  /** Called with the positions that a tick or a deadline made due. */
  readonly onDue: (positionKeys: readonly string[]) => void;
  /** Called with the duration of a settled forced sale, once none is needed any more. */
  readonly onRepaid: (sale: ExitSale) => void;
  /** Return true while this keeper follows the market. */
  readonly isHeld: (marketId: string) => boolean;
  /** Isolation of one item: its failure is counted and stops no other. */
  readonly isolated: Pick<IsolatedItems, 'attempt'>;
  readonly policy: PolicyConfig;
  readonly clock: Clock;
  /** Monotonic milliseconds: moving the service clock makes no sale longer. */
  readonly now?: () => number;
}

/**
 * Watch of the debts in this keeper's market shares. A tick reports the positions that it may have made due for a
 * liquidation or an unwind, each once until its market recovers. The result may include too many, never too few: a step
 * reads the chain before it acts. The state is in memory only: a share that this keeper acquires starts from its open
 * positions, and one that it loses is dropped, because another keeper follows it.
 */
export class DebtWatch {
  readonly #markets: MarkFeed;
  readonly #options: DebtWatchOptions;
  /** Markets with debt, by ticker. */
  readonly #marketByTicker = new Map<string, MarketRecord>();
  readonly #debts: DueDebts;
  /** Monotonic instant of the last complete round that included a share, by the name of the share. */
  readonly #rounds = new Map<string, { readonly share: MarketShare; readonly atMs: number }>();
  /**
   * Positions that were past their hard exit when their market was released, with the market: a postponed game does not
   * lift a hard exit.
   */
  readonly #pastHardExitLeft = new Map<string, string>();

  constructor(markets: MarkFeed, options: DebtWatchOptions) {
    this.#markets = markets;
    this.#options = options;
    const { policy, clock, now = () => performance.now() } = options;
    this.#debts = new DueDebts(policy, { clock, now });
    markets.onTick(({ tokenId }) => this.#evaluateAll([tokenId]));
  }

  /** Number of followed positions. */
  get size(): number {
    return this.#debts.size;
  }

  /** Watched markets without a live book: nothing is due there. */
  get unseenTickers(): readonly string[] {
    const unreadable = [...this.#marketByTicker.values()]
      .filter(({ record }) => record === null)
      .map(({ ticker }) => ticker);
    return [...this.#markets.health().staleTickers, ...unreadable];
  }

  /**
   * Restart in some markets with all their open positions. Running sales are not measured: another keeper may have
   * started them. Hard exits that this process observed are known. The positions are added in portions, so that a tick
   * or a step waits for one portion at most.
   */
  async restart(
    isBegun: (marketId: string) => boolean,
    open: readonly ChangedPosition[],
    nowMs: number,
  ): Promise<void> {
    this.#leave(isBegun);
    for (let from = 0; from < open.length; from += portion) {
      const chunk = open.slice(from, from + portion).map((one) => {
        const wasKnown = this.#pastHardExitLeft.has(one.position.positionKey);
        return { ...one, wasHardExitInForce: one.wasHardExitInForce === true || wasKnown };
      });
      this.update(chunk, nowMs);
      await nextTurn();
    }
    for (const [positionKey, marketId] of this.#pastHardExitLeft) {
      if (isBegun(marketId)) this.#pastHardExitLeft.delete(positionKey);
    }
    // A market that was followed throughout keeps its watch and its history.
    this.#unwatchIdle();
  }

  /** Remove the markets that this keeper no longer follows. */
  removeLost(): void {
    this.#leave((marketId) => !this.#options.isHeld(marketId));
    this.#unwatchIdle();
  }

  /** Record that every debt of these shares was updated just now. */
  recordRound(shares: readonly MarketShare[]): void {
    const atMs = performance.now();
    for (const { share, shareCount } of shares) {
      this.#rounds.set(marketShareName({ share, shareCount }), { share: { share, shareCount }, atMs });
    }
  }

  /** Return each share that a round included, with the whole milliseconds since the last one. */
  get rounds(): readonly ShareRound[] {
    const nowMs = performance.now();
    return [...this.#rounds.values()].map(({ share, atMs }) => ({ share, ageMs: Math.round(nowMs - atMs) }));
  }

  /**
   * Update positions: those with debt are followed, others are removed. Each token is evaluated once, however many of
   * its positions changed.
   */
  update(found: readonly ChangedPosition[], nowMs: number): void {
    const changed = found.filter(({ market }) => this.#options.isHeld(market.id));
    const sales = changed.flatMap(({ position }) => this.#settledSaleOf(position));
    const owing = new Map<string, ChangedPosition>();
    for (const one of changed) {
      const { positionKey } = one.position;
      this.#options.isolated.attempt(positionKey, () => {
        if (isOwing(one.position, nowMs)) owing.set(positionKey, one);
        else this.#debts.remove(positionKey);
      });
    }
    const isOwed = ({ position }: ChangedPosition): boolean => owing.has(position.positionKey);
    this.#unwatchIdle(changed.filter((one) => !isOwed(one)).map(({ market }) => market.ticker));
    for (const [positionKey, { position, market, wasHardExitInForce = false }] of owing) {
      const isFollowed = this.#options.isolated.attempt(positionKey, () => {
        this.#watch(market);
        const { ticker } = market;
        const snapshot = this.#markets.snapshotOf(ticker);
        this.#debts.put({ position, ticker, keyedAtMs: nowMs }, { snapshot, wasHardExitInForce });
      });
      if (!isFollowed) this.#debts.remove(positionKey);
    }
    this.#evaluateAll(new Set([...owing.values()].map(({ position }) => position.venueTokenId)));
    // A partial sale ends the measurement when the rest is covered.
    for (const sale of sales) if (!this.#debts.isSaleDue(sale.positionKey)) this.#options.onRepaid(sale);
  }

  /** Update market records, whose times and statuses move. Most have no debt. */
  updateMarkets(records: readonly MarketRecord[]): void {
    const { isHeld } = this.#options;
    for (const market of records.filter(({ id, ticker }) => this.#marketByTicker.has(ticker) && isHeld(id))) {
      this.#options.isolated.attempt(market.id, () => this.#watch(market));
      this.#evaluateAll([market.yesTokenId, market.noTokenId]);
    }
  }

  /**
   * Process elapsed time: hard exits that came into force are due, and aged index keys are renewed. Costs O(changes).
   */
  renew(nowMs: number): void {
    this.#callDue(this.#debts.takeHardExits(nowMs));
    const aged = this.#debts.agedAt(nowMs).flatMap(({ position, ticker }) => {
      const market = this.#marketByTicker.get(ticker);
      return market === undefined ? [] : [{ position, market }];
    });
    this.update(aged, nowMs);
  }

  /** Return every position that was due at the last evaluation of its token, for retries without a tick. */
  due(): readonly DueDebt[] {
    return this.#debts.due();
  }

  /** Return the forced sales that are due and not settled; empty in markets of other keepers. */
  waiting(): readonly (ExitWait & Pick<ExitSale, 'positionKey'>)[] {
    return this.#debts.sales().flatMap(({ positionKey, durationMs }) => {
      const market = this.#marketOf(positionKey);
      const isOurs = market !== null && this.#options.isHeld(market.id);
      return isOurs ? [{ positionKey, category: market.category, durationMs }] : [];
    });
  }

  /** Return the debt of a position while it is due; null otherwise. */
  dueOf(positionKey: string): DueDebt | null {
    return this.#debts.dueOf(positionKey);
  }

  /** Return a followed position; null for any other. */
  positionOf(positionKey: string): Position | null {
    return this.#debts.of(positionKey)?.position ?? null;
  }

  /** Return true when the hard exit of a position was in force, whatever its market is now. */
  isPastHardExit(positionKey: string): boolean {
    return this.#debts.pastHardExit.has(positionKey);
  }

  /** Return the mark of a token for a forced sale; null while none is reliable. */
  markOf(tokenId: string): PricePips | null {
    return this.#markOf(tokenId, this.snapshotOf(tokenId));
  }

  /** Return the market of a token with debt; null for any other. */
  snapshotOf(tokenId: string): MarketSnapshot | null {
    const ticker = this.#debts.tickerOf(tokenId);
    return ticker === null ? null : this.#markets.snapshotOf(ticker);
  }

  /** Return the cover inputs at which a debt was last covered; null when none was recorded. */
  lastCoverOf(tokenId: string, debt: WatchedDebt): CoverInputs | null {
    return this.#debts.lastCoverOf(tokenId, debt);
  }

  #evaluateAll(tokenIds: Iterable<string>): void {
    for (const tokenId of tokenIds) this.#options.isolated.attempt(tokenId, () => this.#evaluate(tokenId));
  }

  #evaluate(tokenId: string): void {
    const market = this.#marketByTicker.get(this.#debts.tickerOf(tokenId) ?? '');
    if (market === undefined || !this.#options.isHeld(market.id)) return;
    const snapshot = this.snapshotOf(tokenId);
    const markPricePips = this.#markOf(tokenId, snapshot);
    this.#callDue(this.#debts.evaluate(tokenId, { markPricePips, snapshot, nowMs: this.#options.clock.nowMs() }));
  }

  #markOf(tokenId: string, snapshot: MarketSnapshot | null): PricePips | null {
    const mark = this.#markets.mark(tokenId);
    if (mark?.isAttestable === true) return mark.pricePips;
    if (snapshot === null) return null;
    const { yesTokenId, tickPricePips } = snapshot.facts;
    const side = sideOf(snapshot, yesTokenId === tokenId ? 'yes' : 'no');
    return saleMarkOf(side, { tickPricePips, config: this.#options.policy });
  }

  #callDue(positionKeys: readonly string[]): void {
    if (positionKeys.length > 0) this.#options.onDue(positionKeys);
  }

  /** Return the measured duration of a settled forced sale; empty for any other change. */
  #settledSaleOf(after: Position): readonly ExitSale[] {
    const { positionKey } = after;
    const before = this.#debts.of(positionKey)?.position;
    const category = this.#marketOf(positionKey)?.category ?? null;
    const measured = this.#debts.saleOf(positionKey);
    if (before === undefined || category === null || measured === null) return [];
    return isForcedSale(before, after) ? [{ ...measured, category }] : [];
  }

  #marketOf(positionKey: string): MarketRecord | null {
    return this.#marketByTicker.get(this.#debts.of(positionKey)?.ticker ?? '') ?? null;
  }

  #watch(market: MarketRecord): void {
    this.#marketByTicker.set(market.ticker, market);
    // Without a readable record there is no book: the market counts as unseen.
    if (market.record !== null) this.#markets.watch(market.record, plainOverlayOf(market.id, market.status));
  }

  #leave(isLeft: (marketId: string) => boolean): void {
    for (const { position } of this.#debts.all) {
      const { positionKey, marketId } = position;
      if (marketId === null || !isLeft(marketId)) continue;
      if (this.#debts.pastHardExit.has(positionKey)) this.#pastHardExitLeft.set(positionKey, marketId);
      this.#debts.remove(positionKey);
    }
  }

  /** Unwatch markets without debt: of these, or of any. */
  #unwatchIdle(tickers: readonly string[] = [...this.#marketByTicker.keys()]): void {
    for (const ticker of tickers) {
      const market = this.#marketByTicker.get(ticker);
      if (market === undefined) continue;
      const tokenIds = [market.yesTokenId, market.noTokenId];
      if (tokenIds.some((tokenId) => this.#debts.tickerOf(tokenId) !== null)) continue;
      this.#marketByTicker.delete(ticker);
      this.#markets.unwatch(ticker);
    }
  }
}
