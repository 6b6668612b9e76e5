import { add, isZero, liquidationPriceOf, type PricePips } from '@core/pricing';
import type { MarketRecord, PositionRecord } from '@core/store';
import { type MarketWatch, plainOverlayOf, type VenueMarket } from '@core/venue';
import { accruedOf } from '../ledger/reduction.ts';
import { DebtIndex } from './debtIndex.ts';

/** Fees raise a liquidation price with time: a place in the index holds for a day, and is renewed after half of it. */
const validMs = 24 * 3_600_000;
const renewedAfterMs = validMs / 2;

/** What the watch of debts needs of a watch of markets. */
export type MarkFeed = Pick<MarketWatch, 'watch' | 'unwatch' | 'mark' | 'onTick' | 'health'>;

interface Followed {
  readonly position: PositionRecord;
  readonly market: MarketRecord;
  readonly keyedAtMs: number;
}

/**
 * Follows the markets in which somebody owes something, and tells which positions a tick may have made due. It tells too
 * many rather than too few: whoever acts looks at the chain first. Nothing here is kept anywhere else; a process that
 * starts takes in every open position again.
 */
export class DebtWatch {
  readonly #markets: MarkFeed;
  readonly #index = new DebtIndex();
  /** In the order of `keyedAtMs`, so that the oldest places come first. */
  readonly #followed = new Map<string, Followed>();
  readonly #due = new Set<string>();
  /** Block up to which changes were taken in; null before the first round. */
  takenBlock: bigint | null = null;

  constructor(markets: MarkFeed) {
    this.#markets = markets;
    markets.onTick(({ tokenId }) => this.#look(tokenId));
  }

  /** Positions that are followed. */
  get size(): number {
    return this.#index.size;
  }

  /** Watched markets without a live book: nothing can be due there. */
  get staleMarketCount(): number {
    return this.#markets.health().staleMarketCount;
  }

  /** Takes in a position as it is now: with debt it is followed, without it is not. */
  take(position: PositionRecord, market: MarketRecord, nowMs: number): void {
    const duePricePips = ledgerLiquidationPriceOf(position, nowMs + validMs);
    if (position.chainState !== 'open' || isZero(duePricePips)) {
      this.forget(position.positionKey);
      return;
    }
    const { positionKey, venueTokenId } = position;
    this.#index.put({ positionKey, tokenId: venueTokenId, duePricePips });
    this.#followed.delete(positionKey);
    this.#followed.set(positionKey, { position, market, keyedAtMs: nowMs });
    this.#markets.watch(market.record as VenueMarket, plainOverlayOf(market.id, market.status));
    this.#look(venueTokenId);
  }

  forget(positionKey: string): void {
    const followed = this.#followed.get(positionKey);
    if (followed === undefined) return;
    this.#index.remove(positionKey);
    this.#followed.delete(positionKey);
    this.#due.delete(positionKey);
    const { ticker, yesTokenId, noTokenId } = followed.market;
    if (!this.#index.holds(yesTokenId) && !this.#index.holds(noTokenId)) this.#markets.unwatch(ticker);
  }

  /** Renews the places that have grown old. Costs what there is to renew. */
  renew(nowMs: number): void {
    for (const { position, market, keyedAtMs } of this.#followed.values()) {
      if (nowMs - keyedAtMs < renewedAfterMs) return;
      this.take(position, market, nowMs);
    }
  }

  /** Positions that may be due since the last call. */
  takeDue(): readonly string[] {
    const due = [...this.#due];
    this.#due.clear();
    return due;
  }

  /** The live mark of a token; null while none is known that a sale may rest on. */
  markOf(tokenId: string): PricePips | null {
    const mark = this.#markets.mark(tokenId);
    return mark?.isAttestable === true ? mark.pricePips : null;
  }

  #look(tokenId: string): void {
    const mark = this.markOf(tokenId);
    if (mark === null) return;
    for (const positionKey of this.#index.dueAt(tokenId, mark)) this.#due.add(positionKey);
  }
}

/**
 * The vault's liquidation price at an instant, from the ledger: what is owed is principal, written off or not, and fees
 * due until then. Pips, rounded down; 0 without debt.
 */
export function ledgerLiquidationPriceOf(position: PositionRecord, atMs: number): PricePips {
  return liquidationPriceOf({
    principalUsdcUnits: add(position.principalUsdcUnits, position.badDebtUsdcUnits),
    feesUsdcUnits: add(position.pendingLifetimeFeeUsdcUnits, accruedOf(position, atMs)),
    liquidationFeeBps: position.liquidationFeeBps,
    exitBufferBps: position.exitBufferBps,
    tokenUnits: position.tokenUnits,
  });
}
