import { type CoverInputs, type MarketSnapshot, type PolicyConfig, saleMarkOf, sideOf } from '@core/policy';
import { liquidationPriceAt, type Position, plannedPrincipalOf } from '@core/position';
import { compare, isZero, type PricePips, raw } from '@core/pricing';
import type { Clock } from '@core/runtime';
import type { ExitSale, ExitWait, MarketRecord } from '@core/store';
import { type MarketWatch, plainOverlayOf, type VenueMarket } from '@core/venue';
import { CoverWatch, type WatchedDebt } from './coverWatch.ts';
import { DebtIndex } from './debtIndex.ts';

/** Fees raise a liquidation price with time: a place in the index holds for a day, and is renewed after half of it. */
const validMs = 24 * 3_600_000;
const renewedAfterMs = validMs / 2;

/** What the watch of debts needs of a watch of markets. */
export type MarkFeed = Pick<MarketWatch, 'watch' | 'unwatch' | 'mark' | 'snapshotOf' | 'onTick' | 'health'>;

/** Positions by token. */
type Due = Map<string, Set<string>>;

/** Why a debt has to go, the most urgent first. */
export const dueReasons = ['liquidation', 'hard_exit', 'unwind'] as const;
export type DueReason = (typeof dueReasons)[number];

interface Followed {
  readonly position: Position;
  readonly market: MarketRecord;
  readonly keyedAtMs: number;
}

export interface DebtWatchOptions {
  /** Called with the positions that a tick or a deadline has made due. */
  readonly onDue: (positionKeys: readonly string[]) => void;
  /** Called when a debt that was due is gone by a sale: how long that took from the look at which it was due. */
  readonly onRepaid: (sale: ExitSale) => void;
  readonly policy: PolicyConfig;
  readonly clock: Clock;
  /** Monotonic milliseconds: moving the service clock makes no sale longer. */
  readonly now?: () => number;
}

/** When a position became due: on the service clock, and on the process's own. */
interface DueSince {
  readonly dueAtMs: number;
  readonly startedAtMs: number;
}

/**
 * Follows the markets in which a position owes something. A tick calls the listener with the positions that it may have
 * made due for a liquidation or an unwind, each once until its market recovers. They are too many rather than too few:
 * who acts looks at the chain first. Nothing here is kept anywhere else; a process that starts takes in every open
 * position again.
 */
export class DebtWatch {
  readonly #markets: MarkFeed;
  readonly #options: DebtWatchOptions;
  readonly #index = new DebtIndex();
  /** Committed positions by the trigger of their next rung. */
  readonly #rungs = new DebtIndex();
  readonly #covers: CoverWatch;
  /** In the order of `keyedAtMs`, so that the oldest places come first. */
  readonly #followed = new Map<string, Followed>();
  /** Per token, the ticker of its market. */
  readonly #tickers = new Map<string, string>();
  /** Per token, what its last mark and its last readable cover made due: liquidations, rungs, unwinds. */
  readonly #dueByMark: Due = new Map();
  readonly #dueByRung: Due = new Map();
  readonly #dueByCover: Due = new Map();
  /** Since when a position has been due without a break. */
  readonly #dueSince = new Map<string, DueSince>();

  constructor(markets: MarkFeed, options: DebtWatchOptions) {
    this.#markets = markets;
    this.#options = options;
    this.#covers = new CoverWatch((key) => markets.snapshotOf(key), options.policy);
    markets.onTick(({ tokenId }) => this.#look(tokenId));
  }

  /** Positions that are followed. */
  get size(): number {
    return this.#index.size;
  }

  /** Watched markets without a live book: what is due there cannot be seen. */
  get unseenTickers(): readonly string[] {
    return this.#markets.health().staleTickers;
  }

  /**
   * Takes in positions as they are now: with debt they are followed, without they are not. Each token is looked at
   * once, however many of its positions changed.
   */
  take(changed: readonly { readonly position: Position; readonly market: MarketRecord }[], nowMs: number): void {
    const followed = changed.filter(({ position, market }) => this.#put(position, market, nowMs));
    const tokenIds = new Set(followed.map(({ position }) => position.venueTokenId));
    for (const tokenId of tokenIds) this.#look(tokenId);
    for (const { position } of followed) {
      if (this.dueBy(position.positionKey) === null) this.#dueSince.delete(position.positionKey);
    }
  }

  /** False when the position owes nothing. */
  #put(position: Position, market: MarketRecord, nowMs: number): boolean {
    const aheadMs = nowMs + validMs;
    const duePricePips = liquidationPriceAt(position, aheadMs);
    if (position.chainState !== 'open' || isZero(duePricePips)) {
      // Payouts end a position without any sale.
      if (position.chainState !== 'settled') this.#noteRepaid(position.positionKey, market.category);
      this.forget(position.positionKey);
      return false;
    }
    const { positionKey, venueTokenId: tokenId } = position;
    this.#index.put({ positionKey, tokenId, dueAtOrBelow: raw(duePricePips) });
    const trigger = nextTriggerOf(position);
    if (trigger === null) this.#rungs.remove(positionKey);
    else this.#rungs.put({ positionKey, tokenId, dueAtOrBelow: raw(trigger) });
    this.#followed.delete(positionKey);
    this.#followed.set(positionKey, { position, market, keyedAtMs: nowMs });
    this.#tickers.set(tokenId, market.ticker);
    this.#markets.watch(market.record as VenueMarket, plainOverlayOf(market.id, market.status));
    this.#covers.put(position, { marketKey: market.ticker, aheadMs });
    this.#leave(positionKey, tokenId);
    return true;
  }

  forget(positionKey: string): void {
    const followed = this.#followed.get(positionKey);
    if (followed === undefined) return;
    const { venueTokenId: tokenId } = followed.position;
    this.#index.remove(positionKey);
    this.#rungs.remove(positionKey);
    this.#covers.remove(positionKey);
    this.#followed.delete(positionKey);
    this.#leave(positionKey, tokenId);
    this.#dueSince.delete(positionKey);
    const { ticker, yesTokenId, noTokenId } = followed.market;
    if (!this.#index.holds(tokenId)) {
      for (const byToken of [this.#tickers, ...this.#dues]) byToken.delete(tokenId);
    }
    if (!this.#index.holds(yesTokenId) && !this.#index.holds(noTokenId)) this.#markets.unwatch(ticker);
  }

  /**
   * What time brings about: hard exits whose moment has come are called, and places that have grown old are renewed.
   * Costs what there is to do.
   */
  renew(nowMs: number): void {
    const past = this.#covers.takePastDeadline(nowMs);
    if (past.length > 0) this.#callDue(past);
    const old: Followed[] = [];
    for (const followed of this.#followed.values()) {
      if (nowMs - followed.keyedAtMs < renewedAfterMs) break;
      old.push(followed);
    }
    this.take(old, nowMs);
  }

  /** Every position that is due at the last look at its token, for whatever a tick did not bring about. */
  dueNow(): readonly string[] {
    const due = [...this.#dues.flatMap((byToken) => [...byToken.values()]), this.#covers.pastHardExit];
    return [...new Set(due.flatMap((positionKeys) => [...positionKeys]))];
  }

  /**
   * Debts that are due and not repaid yet. By a mark alone a position is called a day of fees before the vault lets it
   * be liquidated, and owes nothing to anyone meanwhile: it counts once its cover is gone.
   */
  waiting(): readonly ExitWait[] {
    const nowMs = this.#now();
    const waits: ExitWait[] = [];
    for (const [positionKey, { startedAtMs }] of this.#dueSince) {
      const category = this.#followed.get(positionKey)?.market.category;
      const isWaiting = category !== undefined && this.#isUncovered(positionKey);
      if (isWaiting) waits.push({ category, durationMs: nowMs - startedAtMs });
    }
    return waits;
  }

  /** Why the debt of a position is due, the most urgent reason; null while it is not. */
  dueBy(positionKey: string): DueReason | null {
    const tokenId = this.#followed.get(positionKey)?.position.venueTokenId ?? '';
    if (this.#dueByMark.get(tokenId)?.has(positionKey) === true) return 'liquidation';
    if (this.#covers.pastHardExit.has(positionKey)) return 'hard_exit';
    return this.#isUncovered(positionKey) ? 'unwind' : null;
  }

  #isUncovered(positionKey: string): boolean {
    const tokenId = this.#followed.get(positionKey)?.position.venueTokenId ?? '';
    if (this.#covers.pastHardExit.has(positionKey)) return true;
    return [this.#dueByCover, this.#dueByRung].some((due) => due.get(tokenId)?.has(positionKey) === true);
  }

  /** The mark of a token that a forced sale may rest on; null while none is known. */
  markOf(tokenId: string): PricePips | null {
    const mark = this.#markets.mark(tokenId);
    if (mark?.isAttestable === true) return mark.pricePips;
    const snapshot = this.snapshotOf(tokenId);
    if (snapshot === null) return null;
    const side = sideOf(snapshot, snapshot.facts.yesTokenId === tokenId ? 'yes' : 'no');
    return saleMarkOf(side, { tickPricePips: snapshot.facts.tickPricePips, config: this.#options.policy });
  }

  /** The market of a token in which a position owes something; null for any other. */
  snapshotOf(tokenId: string): MarketSnapshot | null {
    const ticker = this.#tickers.get(tokenId);
    return ticker === undefined ? null : this.#markets.snapshotOf(ticker);
  }

  /** What the cover of a debt rested on when it last held; null when that was not seen. */
  lastCovered(tokenId: string, debt: WatchedDebt): CoverInputs | null {
    return this.#covers.lastCovered(tokenId, debt);
  }

  get #dues(): readonly Due[] {
    return [this.#dueByMark, this.#dueByRung, this.#dueByCover];
  }

  #now(): number {
    return (this.#options.now ?? (() => performance.now()))();
  }

  #look(tokenId: string): void {
    if (!this.#index.holds(tokenId)) return;
    const before = new Set(this.#dues.flatMap((due) => [...(due.get(tokenId) ?? [])]));
    const mark = this.markOf(tokenId);
    const byMark = mark === null ? null : this.#index.dueAt(tokenId, raw(mark));
    const byRung = mark === null ? null : this.#rungs.dueAt(tokenId, raw(mark));
    const byCover = this.#covers.look(tokenId, this.#tickers.get(tokenId) ?? '');
    // What cannot be read says nothing: what was due stays so until its market recovers.
    if (byMark !== null) this.#dueByMark.set(tokenId, new Set(byMark));
    if (byRung !== null) this.#dueByRung.set(tokenId, new Set(byRung));
    if (byCover !== null) this.#dueByCover.set(tokenId, new Set(byCover));
    const due = new Set([...(byMark ?? []), ...(byRung ?? []), ...(byCover ?? [])]);
    for (const positionKey of before) {
      if (this.dueBy(positionKey) === null) this.#dueSince.delete(positionKey);
    }
    this.#callDue([...due].filter((positionKey) => !before.has(positionKey)));
  }

  #callDue(positionKeys: readonly string[]): void {
    const since: DueSince = { dueAtMs: this.#options.clock.nowMs(), startedAtMs: this.#now() };
    for (const positionKey of positionKeys) {
      if (!this.#dueSince.has(positionKey)) this.#dueSince.set(positionKey, since);
    }
    this.#options.onDue(positionKeys);
  }

  #noteRepaid(positionKey: string, category: string): void {
    const since = this.#dueSince.get(positionKey);
    if (since === undefined) return;
    const { dueAtMs, startedAtMs } = since;
    this.#options.onRepaid({ positionKey, category, dueAtMs, durationMs: this.#now() - startedAtMs });
  }

  /** Whatever was said of the position holds no longer. */
  #leave(positionKey: string, tokenId: string): void {
    for (const due of this.#dues) due.get(tokenId)?.delete(positionKey);
  }
}

/** Trigger of the first rung whose target the principal is still above; null without such a rung. */
function nextTriggerOf({ quotedRisk, collateralUsdcUnits, principalUsdcUnits }: Position): PricePips | null {
  const next = quotedRisk?.plannedUnwinds.find(
    ({ targetLeverageBps }) =>
      compare(plannedPrincipalOf(collateralUsdcUnits, targetLeverageBps), principalUsdcUnits) < 0,
  );
  return next?.triggerPricePips ?? null;
}
