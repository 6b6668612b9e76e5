import { setImmediate as nextTurn } from 'node:timers/promises';
import { type CoverInputs, type MarketSnapshot, type PolicyConfig, saleMarkOf, sideOf } from '@core/policy';
import type { Position } from '@core/position';
import type { PricePips } from '@core/pricing';
import type { Clock } from '@core/runtime';
import type { ExitSale, ExitWait, MarketRecord } from '@core/store';
import { type MarketWatch, plainOverlayOf, type VenueMarket } from '@core/venue';
import type { WatchedDebt } from './coverWatch.ts';
import { type DueReason, FollowedDebts, isOwing } from './followedDebts.ts';
import { isForcedSale } from './forcedSale.ts';

/** What the watch of debts needs of a watch of markets. */
export type MarkFeed = Pick<MarketWatch, 'watch' | 'unwatch' | 'mark' | 'snapshotOf' | 'onTick' | 'health'>;

/** A position as it is now, in its market. */
export interface ChangedPosition {
  readonly position: Position;
  readonly market: MarketRecord;
  /** A keeper before this one found its hard exit in force. */
  readonly wasHardExitInForce?: boolean;
}

/** Positions taken in at once: ten milliseconds of them. */
const portion = 500;

export interface DebtWatchOptions {
  /** Called with the positions that a tick or a deadline has made due. */
  readonly onDue: (positionKeys: readonly string[]) => void;
  /** Called when a forced sale is settled that was called for, and none is called for any more: how long that took. */
  readonly onRepaid: (sale: ExitSale) => void;
  /** Whether this keeper looks after the market now. */
  readonly isHeld: (marketId: string) => boolean;
  readonly policy: PolicyConfig;
  readonly clock: Clock;
  /** Monotonic milliseconds: moving the service clock makes no sale longer. */
  readonly now?: () => number;
}

/**
 * Follows the markets in which a position owes something. A tick calls the listener with the positions that it may have
 * made due for a liquidation or an unwind, each once until its market recovers. They are too many rather than too few:
 * who acts looks at the chain first. Nothing here is kept anywhere else: in every share of the markets that this
 * keeper gets it begins anew with what is open, and in one that it loses it stands still, because another keeper repays
 * what is due then.
 */
export class DebtWatch {
  readonly #markets: MarkFeed;
  readonly #options: DebtWatchOptions;
  /** By ticker, the markets in which something is owed. */
  readonly #held = new Map<string, MarketRecord>();
  readonly #debts: FollowedDebts;
  /** Positions that this keeper left past their hard exit, each with its market: a game put off does not lift that. */
  readonly #leftPastHardExit = new Map<string, string>();

  constructor(markets: MarkFeed, options: DebtWatchOptions) {
    this.#markets = markets;
    this.#options = options;
    const { policy, clock, now = () => performance.now() } = options;
    this.#debts = new FollowedDebts(policy, { clock, now });
    markets.onTick(({ tokenId }) => this.#look(tokenId));
  }

  /** Positions that are followed. */
  get size(): number {
    return this.#debts.size;
  }

  /** Watched markets without a live book: what is due there cannot be seen. */
  get unseenTickers(): readonly string[] {
    return this.#markets.health().staleTickers;
  }

  /**
   * Begins anew in some markets, with every position that is open in them. Since when a sale has been called for is not
   * known of any: what was counted before was another keeper's to end. A hard exit that this process saw come into
   * force is known. There may be very many: a tick or a step waits for one portion of them at most.
   */
  async begin(isBegun: (marketId: string) => boolean, open: readonly ChangedPosition[], nowMs: number): Promise<void> {
    this.#leave(isBegun);
    for (let from = 0; from < open.length; from += portion) {
      const known = open.slice(from, from + portion).map((one) => {
        const wasKnown = this.#leftPastHardExit.has(one.position.positionKey);
        return { ...one, wasHardExitInForce: one.wasHardExitInForce === true || wasKnown };
      });
      this.take(known, nowMs);
      await nextTurn();
    }
    for (const [positionKey, marketId] of this.#leftPastHardExit) {
      if (isBegun(marketId)) this.#leftPastHardExit.delete(positionKey);
    }
    // A market that is held as before was watched all the time, and what was seen of it still counts.
    this.#unwatchIdle();
  }

  /** Forgets the markets that this keeper looks after no more. */
  leave(): void {
    this.#leave((marketId) => !this.#options.isHeld(marketId));
    this.#unwatchIdle();
  }

  /**
   * Takes in positions as they are now: with debt they are followed, without they are not. Each token is looked at
   * once, however many of its positions changed.
   */
  take(found: readonly ChangedPosition[], nowMs: number): void {
    const changed = found.filter(({ market }) => this.#options.isHeld(market.id));
    const sales = changed.flatMap(({ position }) => this.#settledSaleOf(position));
    const owing = changed.filter(({ position }) => isOwing(position, nowMs));
    const owed = new Set(owing);
    for (const one of changed) if (!owed.has(one)) this.#debts.remove(one.position.positionKey);
    this.#unwatchIdle(changed.filter((one) => !owed.has(one)).map(({ market }) => market.ticker));
    for (const { position, market, wasHardExitInForce = false } of owing) {
      this.#watch(market);
      const { ticker } = market;
      const snapshot = this.#markets.snapshotOf(ticker);
      this.#debts.put({ position, ticker, keyedAtMs: nowMs }, { snapshot, wasHardExitInForce });
    }
    for (const tokenId of new Set(owing.map(({ position }) => position.venueTokenId))) this.#look(tokenId);
    // The sale of a part ends the wait when it has brought the rest under its cover.
    for (const sale of sales) if (!this.#debts.isCalledFor(sale.positionKey)) this.#options.onRepaid(sale);
  }

  /** Takes in newer records of markets: their times move, and trading ends. Most hold no debt. */
  takeMarkets(records: readonly MarketRecord[]): void {
    const { isHeld } = this.#options;
    for (const market of records.filter(({ id, ticker }) => this.#held.has(ticker) && isHeld(id))) {
      this.#watch(market);
      for (const tokenId of [market.yesTokenId, market.noTokenId]) this.#look(tokenId);
    }
  }

  /**
   * What time brings about: hard exits whose moment has come are called, and places that have grown old are renewed.
   * Costs what there is to do.
   */
  renew(nowMs: number): void {
    this.#callDue(this.#debts.takeHardExits(nowMs));
    const aged = this.#debts.agedAt(nowMs).flatMap(({ position, ticker }) => {
      const market = this.#held.get(ticker);
      return market === undefined ? [] : [{ position, market }];
    });
    this.take(aged, nowMs);
  }

  /** Every position that is due at the last look at its token, for whatever a tick did not bring about. */
  dueNow(): readonly string[] {
    return this.#debts.dueNow();
  }

  /** Forced sales that are called for and not settled yet; none while another keeper makes them. */
  waiting(): readonly ExitWait[] {
    return this.#debts.timer.waiting().flatMap(({ positionKey, durationMs }) => {
      const market = this.#marketOf(positionKey);
      const isOurs = market !== null && this.#options.isHeld(market.id);
      return isOurs ? [{ category: market.category, durationMs }] : [];
    });
  }

  /** Why the debt of a position is due, the most urgent reason; null while it is not. */
  dueBy(positionKey: string): DueReason | null {
    return this.#debts.dueBy(positionKey);
  }

  /** Whether the hard exit of a position was in force, whatever its market says now. */
  isPastHardExit(positionKey: string): boolean {
    return this.#debts.pastHardExit.has(positionKey);
  }

  /** The mark of a token that a forced sale may rest on; null while none is known. */
  markOf(tokenId: string): PricePips | null {
    return this.#markOf(tokenId, this.snapshotOf(tokenId));
  }

  /** The market of a token in which a position owes something; null for any other. */
  snapshotOf(tokenId: string): MarketSnapshot | null {
    const ticker = this.#debts.tickerOf(tokenId);
    return ticker === null ? null : this.#markets.snapshotOf(ticker);
  }

  /** What the cover of a debt rested on when it last held; null when that was not seen. */
  lastCovered(tokenId: string, debt: WatchedDebt): CoverInputs | null {
    return this.#debts.lastCovered(tokenId, debt);
  }

  #look(tokenId: string): void {
    const market = this.#held.get(this.#debts.tickerOf(tokenId) ?? '');
    if (market === undefined || !this.#options.isHeld(market.id)) return;
    const snapshot = this.snapshotOf(tokenId);
    const markPricePips = this.#markOf(tokenId, snapshot);
    this.#callDue(this.#debts.look(tokenId, { markPricePips, snapshot, nowMs: this.#options.clock.nowMs() }));
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

  /** What a forced sale that was called for has taken; none for any other change. */
  #settledSaleOf(after: Position): readonly ExitSale[] {
    const { positionKey } = after;
    const before = this.#debts.of(positionKey)?.position;
    const category = this.#marketOf(positionKey)?.category ?? null;
    const measured = this.#debts.timer.measure(positionKey);
    if (before === undefined || category === null || measured === null) return [];
    return isForcedSale(before, after) ? [{ ...measured, category }] : [];
  }

  #marketOf(positionKey: string): MarketRecord | null {
    return this.#held.get(this.#debts.of(positionKey)?.ticker ?? '') ?? null;
  }

  #watch(market: MarketRecord): void {
    this.#held.set(market.ticker, market);
    this.#markets.watch(market.record as VenueMarket, plainOverlayOf(market.id, market.status));
  }

  #leave(isLeft: (marketId: string) => boolean): void {
    for (const { position } of this.#debts.all) {
      const { positionKey, marketId } = position;
      if (marketId === null || !isLeft(marketId)) continue;
      if (this.#debts.pastHardExit.has(positionKey)) this.#leftPastHardExit.set(positionKey, marketId);
      this.#debts.remove(positionKey);
    }
  }

  /** Ends the watch of markets in which nothing is owed any more: of these, or of any. */
  #unwatchIdle(tickers: readonly string[] = [...this.#held.keys()]): void {
    for (const ticker of tickers) {
      const market = this.#held.get(ticker);
      if (market === undefined) continue;
      const tokenIds = [market.yesTokenId, market.noTokenId];
      if (tokenIds.some((tokenId) => this.#debts.tickerOf(tokenId) !== null)) continue;
      this.#held.delete(ticker);
      this.#markets.unwatch(ticker);
    }
  }
}
