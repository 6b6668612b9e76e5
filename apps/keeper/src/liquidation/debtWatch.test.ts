import { type Mark, type MarketSnapshot, policyDefaults } from '@core/policy';
import { liquidationPriceAt } from '@core/position';
import { sampleNowMs, samplePosition } from '@core/position/testing';
import { leverageBps, pricePips, raw, usdcUnits } from '@core/pricing';
import type { MarketRecord } from '@core/store';
import { sampleMarket } from '@core/store/testing';
import type { MarketTick, WatchHealth } from '@core/venue';
import { describe, expect, test } from 'vitest';
import { Wake } from '../runner/wake.ts';
import { DebtWatch, type MarkFeed } from './debtWatch.ts';

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
  snapshot: MarketSnapshot | null = null;
  readonly #marks = new Map<string, Mark>();
  #listener: (tick: MarketTick) => void = () => undefined;

  watch({ ticker }: { readonly ticker: string }): void {
    this.watched.add(ticker);
  }

  unwatch(ticker: string): void {
    this.watched.delete(ticker);
  }

  health(): WatchHealth {
    return {
      socketState: 'open',
      marketCount: this.watched.size,
      staleMarketCount: 0,
      staleTickers: [],
      freezeCount: 0,
    };
  }

  mark(tokenId: string): Mark | null {
    return this.#marks.get(tokenId) ?? null;
  }

  snapshotOf(): MarketSnapshot | null {
    return this.snapshot;
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

function watching() {
  const feed = new HandFeed();
  const wake = new Wake();
  const repaid: unknown[] = [];
  const clockMs = { value: sampleNowMs };
  const debts = new DebtWatch(feed, {
    onDue: (positionKeys) => wake.call(positionKeys),
    onRepaid: (one) => repaid.push(one),
    policy: policyDefaults,
    clock: { nowMs: () => clockMs.value },
    now: () => clockMs.value,
  });
  return { feed, wake, debts, repaid, clockMs };
}

describe('the watch of debts', () => {
  test('wakes a position once its mark is at the price of a day ahead, and only then', () => {
    const { feed, wake, debts } = watching();
    debts.take([{ position, market }], sampleNowMs);
    const due = raw(liquidationPriceAt(position, sampleNowMs + 24 * hourMs));
    expect(due).toBe(4_361n);
    feed.tick('11', due + 1n);
    feed.tick('12', 1n);
    expect(wake.take()).toEqual([]);
    feed.tick('11', due);
    expect(wake.take()).toEqual([position.positionKey]);
    expect(wake.take()).toEqual([]);
  });

  test('wakes for every fall to the price, and keeps what is due until its market recovers', () => {
    const { feed, wake, debts } = watching();
    debts.take([{ position, market }], sampleNowMs);
    feed.tick('11', 1n);
    expect(wake.take()).toEqual([position.positionKey]);
    feed.tick('11', 2n);
    expect(wake.take()).toEqual([]);
    expect(debts.dueNow()).toEqual([position.positionKey]);
    feed.tick('11', 9_000n);
    expect(debts.dueNow()).toEqual([]);
    feed.tick('11', 1n);
    expect(wake.take()).toEqual([position.positionKey]);
    // What changed on chain is looked at anew.
    debts.take([{ position, market }], sampleNowMs);
    expect(wake.take()).toEqual([position.positionKey]);
    debts.take([{ position: { ...position, chainState: 'liquidated' }, market }], sampleNowMs);
    expect(debts.dueNow()).toEqual([]);
  });

  test('measures how long a debt that was due took to be gone, from when it was due without a break', () => {
    const { feed, debts, repaid, clockMs } = watching();
    const gone = { ...position, principalUsdcUnits: usdcUnits(0n) };
    debts.take([{ position, market }], sampleNowMs);
    debts.take([{ position: gone, market }], sampleNowMs);
    expect(repaid).toEqual([]);
    debts.take([{ position, market }], sampleNowMs);
    feed.tick('11', 1n);
    feed.tick('11', 9_000n);
    clockMs.value += 7_000;
    feed.tick('11', 1n);
    clockMs.value += 1_500;
    // A mark alone calls a day ahead: such a position is looked at, and no one waits for it.
    expect(debts.waiting()).toEqual([]);
    // Its place in the index changes while it is sold.
    debts.take([{ position, market }], clockMs.value);
    clockMs.value += 500;
    debts.take([{ position: gone, market }], clockMs.value);
    const { positionKey } = position;
    expect(repaid).toEqual([
      { positionKey, category: market.category, dueAtMs: sampleNowMs + 7_000, durationMs: 2_000 },
    ]);
  });

  test('wakes a committed position at the trigger of its next rung, as an unwind', () => {
    const { feed, wake, debts, clockMs } = watching();
    const rung = (number: number, trigger: bigint, target: bigint) => ({
      rung: number,
      triggerPricePips: pricePips(trigger),
      targetLeverageBps: leverageBps(target),
    });
    const plannedUnwinds = [rung(1, 4_800n, 40_000n), rung(2, 4_600n, 30_000n)];
    const committed = { ...position, quotedRisk: { exitSeconds: 60, plannedUnwinds, signature: '0x' } };
    const { positionKey } = position;
    debts.take([{ position: committed, market }], sampleNowMs);
    feed.tick('11', 4_801n);
    expect(debts.dueBy(positionKey)).toBeNull();
    feed.tick('11', 4_800n);
    expect(wake.take()).toEqual([positionKey]);
    expect(debts.dueBy(positionKey)).toBe('unwind');
    // Its target of 4x is reached: the next rung counts.
    debts.take([{ position: { ...committed, principalUsdcUnits: usdcUnits(60_000_000n) }, market }], sampleNowMs);
    expect(debts.dueBy(positionKey)).toBeNull();
    feed.tick('11', 4_600n);
    expect(debts.dueBy(positionKey)).toBe('unwind');
    clockMs.value += 40_000;
    expect(debts.waiting()).toEqual([{ category: market.category, durationMs: 40_000 }]);
    feed.tick('11', 4_601n);
    expect(debts.waiting()).toEqual([]);
    feed.tick('11', 4_600n);
  });

  test('believes no mark that a sale may not rest on', () => {
    const { feed, wake, debts } = watching();
    debts.take([{ position, market }], sampleNowMs);
    feed.tick('11', 1n, false);
    expect(wake.take()).toEqual([]);
    expect(debts.markOf('11')).toBeNull();
  });

  test('finds at once what was due before it was taken in', () => {
    const { feed, wake, debts } = watching();
    feed.tick('11', 1n);
    debts.take([{ position, market }], sampleNowMs);
    expect(wake.take()).toEqual([position.positionKey]);
  });

  test('renews a place after half a day: fees have raised the price', () => {
    const { feed, wake, debts } = watching();
    debts.take([{ position, market }], sampleNowMs);
    debts.take([{ position: other, market }], sampleNowMs);
    const laterMs = sampleNowMs + 20 * 24 * hourMs;
    const later = raw(liquidationPriceAt(position, laterMs + 24 * hourMs));
    expect(later).toBeGreaterThan(4_361n);
    feed.tick('11', later);
    debts.renew(sampleNowMs + 12 * hourMs - 1);
    expect(wake.take()).toEqual([]);
    debts.renew(laterMs);
    expect(wake.take()).toEqual([position.positionKey]);
  });

  test('watches a market as long as a position owes something there', () => {
    const { feed, wake, debts } = watching();
    debts.take([{ position, market }], sampleNowMs);
    debts.take([{ position: other, market }], sampleNowMs);
    expect(debts.size).toBe(2);
    debts.take([{ position: { ...position, chainState: 'liquidated' }, market }], sampleNowMs);
    expect([...feed.watched]).toEqual(['market-1']);
    debts.take([{ position: { ...other, principalUsdcUnits: usdcUnits(0n) }, market }], sampleNowMs);
    expect([...feed.watched]).toEqual([]);
    expect(debts.size).toBe(0);
    feed.tick('11', 1n);
    expect(wake.take()).toEqual([]);
  });
});
