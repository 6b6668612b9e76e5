import { pricePips, raw, usdcUnits } from '@core/pricing';
import type { MarketRecord } from '@core/store';
import { sampleMarket, sampleNowMs, samplePosition } from '@core/store/testing';
import type { Mark, MarketTick, WatchHealth } from '@core/venue';
import { describe, expect, test } from 'vitest';
import { DebtWatch, ledgerLiquidationPriceOf, type MarkFeed } from './debtWatch.ts';

const hourMs = 3_600_000;
// 80 USDC borrowed on 200 tokens; 109 % of that are 0.436 a token.
const position = samplePosition(1);
const other = samplePosition(2, { venueTokenId: '12', side: 'no' });
const market: MarketRecord = {
  ...sampleMarket(1, { record: { ticker: 'market-1' } }),
  id: 'mkt_1',
  status: 'active',
  yesOutcomeId: 1,
  noOutcomeId: 2,
  discoveredAtMs: sampleNowMs,
  payoutNumerators: [],
  payoutDenominator: null,
  payoutsReportedAtMs: null,
  disabledReason: null,
  version: 1n,
  updatedAtMs: sampleNowMs,
};

/** Marks by hand, and a list of what is watched. */
class HandFeed implements MarkFeed {
  readonly watched = new Set<string>();
  readonly #marks = new Map<string, Mark>();
  #listener: (tick: MarketTick) => void = () => undefined;

  watch({ ticker }: { readonly ticker: string }): void {
    this.watched.add(ticker);
  }

  unwatch(ticker: string): void {
    this.watched.delete(ticker);
  }

  health(): WatchHealth {
    return { socketState: 'open', marketCount: this.watched.size, staleMarketCount: 0, freezeCount: 0 };
  }

  mark(tokenId: string): Mark | null {
    return this.#marks.get(tokenId) ?? null;
  }

  onTick(listener: (tick: MarketTick) => void): () => void {
    this.#listener = listener;
    return () => undefined;
  }

  tick(tokenId: string, pips: bigint, isAttestable = true): void {
    this.#marks.set(tokenId, { pricePips: pricePips(pips), isAttestable });
    this.#listener({ ticker: 'market-1', side: 'yes', tokenId, atMs: sampleNowMs });
  }
}

function watching(): { readonly feed: HandFeed; readonly debts: DebtWatch } {
  const feed = new HandFeed();
  return { feed, debts: new DebtWatch(feed) };
}

describe('the watch of debts', () => {
  test('tells a position once its mark is at the price of a day ahead, and only then', () => {
    const { feed, debts } = watching();
    debts.take(position, market, sampleNowMs);
    const due = raw(ledgerLiquidationPriceOf(position, sampleNowMs + 24 * hourMs));
    expect(due).toBe(4_361n);
    feed.tick('11', due + 1n);
    feed.tick('12', 1n);
    expect(debts.takeDue()).toEqual([]);
    feed.tick('11', due);
    expect(debts.takeDue()).toEqual([position.positionKey]);
    expect(debts.takeDue()).toEqual([]);
  });

  test('believes no mark that a sale may not rest on', () => {
    const { feed, debts } = watching();
    debts.take(position, market, sampleNowMs);
    feed.tick('11', 1n, false);
    expect(debts.takeDue()).toEqual([]);
    expect(debts.markOf('11')).toBeNull();
  });

  test('finds at once what was due before it was taken in', () => {
    const { feed, debts } = watching();
    feed.tick('11', 1n);
    debts.take(position, market, sampleNowMs);
    expect(debts.takeDue()).toEqual([position.positionKey]);
  });

  test('renews a place after half a day: fees have raised the price', () => {
    const { feed, debts } = watching();
    debts.take(position, market, sampleNowMs);
    debts.take(other, market, sampleNowMs);
    const laterMs = sampleNowMs + 20 * 24 * hourMs;
    const later = raw(ledgerLiquidationPriceOf(position, laterMs + 24 * hourMs));
    expect(later).toBeGreaterThan(4_361n);
    feed.tick('11', later);
    debts.renew(sampleNowMs + 12 * hourMs - 1);
    expect(debts.takeDue()).toEqual([]);
    debts.renew(laterMs);
    expect(debts.takeDue()).toEqual([position.positionKey]);
  });

  test('watches a market as long as somebody owes something there', () => {
    const { feed, debts } = watching();
    debts.take(position, market, sampleNowMs);
    debts.take(other, market, sampleNowMs);
    expect(debts.size).toBe(2);
    debts.take({ ...position, chainState: 'liquidated' }, market, sampleNowMs);
    expect([...feed.watched]).toEqual(['market-1']);
    debts.take({ ...other, principalUsdcUnits: usdcUnits(0n) }, market, sampleNowMs);
    expect([...feed.watched]).toEqual([]);
    expect(debts.size).toBe(0);
    feed.tick('11', 1n);
    expect(debts.takeDue()).toEqual([]);
  });

  test('counts what was written off as owed', () => {
    const writtenOff = {
      ...position,
      principalUsdcUnits: usdcUnits(0n),
      badDebtUsdcUnits: position.principalUsdcUnits,
    };
    expect(raw(ledgerLiquidationPriceOf(writtenOff, sampleNowMs))).toBe(4_360n);
  });
});
