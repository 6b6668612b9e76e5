import type { Mark, MarketRecord, MarketSnapshot, VenueMarket } from '@core/market';
import { sampleVenueMarket } from '@core/market/testing';
import { policyDefaults } from '@core/policy';
import { liquidationPriceAt, type Position } from '@core/position';
import { sampleNowMs, samplePosition } from '@core/position/testing';
import { leverageBps, pricePips, raw, tokenUnits, usdcUnits } from '@core/pricing';
import { sampleMarket } from '@core/store/testing';
import type { MarketTick, WatchHealth } from '@core/venue';
import pino from 'pino';
import { describe, expect, test } from 'vitest';
import { IsolatedItems } from '../runner/isolatedItems.ts';
import { createKeeperMetrics } from '../runner/keeperMetrics.ts';
import { Wake } from '../runner/wake.ts';
import { DebtWatch, type MarkFeed } from './debtWatch.ts';

const hourMs = 3_600_000;
// 80 USDC borrowed on 200 tokens; 109 % of that are 0.436 a token.
const position = samplePosition(1);
const other = samplePosition(2, { venueTokenId: '12', side: 'no' });
const record = sampleVenueMarket('market-1', sampleNowMs);
const market: MarketRecord = {
  ...sampleMarket(1, { record }),
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
  readonly records = new Map<string, VenueMarket>();
  snapshot: MarketSnapshot | null = null;
  readonly #marks = new Map<string, Mark>();
  #listener: (tick: MarketTick) => void = () => undefined;

  watch(record: VenueMarket): void {
    this.watched.add(record.ticker);
    this.records.set(record.ticker, record);
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
  let isHeld = true;
  const debts = new DebtWatch(feed, {
    onDue: (positionKeys) => wake.call(positionKeys),
    onRepaid: (one) => repaid.push(one),
    isHeld: () => isHeld,
    isolated: new IsolatedItems({
      name: 'followDebts',
      logger: pino({ level: 'silent' }),
      metrics: createKeeperMetrics(),
    }),
    policy: policyDefaults,
    clock: { nowMs: () => clockMs.value },
    now: () => clockMs.value,
  });
  const lead = async (open: Parameters<DebtWatch['restart']>[1] = []): Promise<void> => {
    isHeld = true;
    await debts.restart(() => true, open, clockMs.value);
  };
  const lose = (): void => {
    isHeld = false;
  };
  return { feed, wake, debts, repaid, clockMs, lead, lose };
}

/** A forced sale of half a position that repaid all of the debt, or an amount of it. */
function soldInPart(before: Position, principal = 0n): Position {
  const changes = { tokenUnits: tokenUnits(100_000_000n), principalUsdcUnits: usdcUnits(principal) };
  return { ...before, ...changes, leverageChangedAtMs: sampleNowMs + 9_000 };
}

describe('the watch of debts', () => {
  test('wakes a position once its mark is at the price of a day ahead, and only then', () => {
    const { feed, wake, debts } = watching();
    debts.update([{ position, market }], sampleNowMs);
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
    debts.update([{ position, market }], sampleNowMs);
    feed.tick('11', 1n);
    expect(wake.take()).toEqual([position.positionKey]);
    feed.tick('11', 2n);
    expect(wake.take()).toEqual([]);
    expect(debts.due()).toMatchObject([{ positionKey: position.positionKey, reason: 'liquidation' }]);
    feed.tick('11', 9_000n);
    expect(debts.due()).toEqual([]);
    feed.tick('11', 1n);
    expect(wake.take()).toEqual([position.positionKey]);
    // A change on chain is evaluated again.
    debts.update([{ position, market }], sampleNowMs);
    expect(wake.take()).toEqual([position.positionKey]);
    debts.update([{ position: { ...position, chainState: 'liquidated' }, market }], sampleNowMs);
    expect(debts.due()).toEqual([]);
  });

  test('measures a forced sale from the start of its due period until it is settled', () => {
    const { feed, debts, repaid, clockMs } = watching();
    const { positionKey } = position;
    debts.update([{ position, market }], sampleNowMs);
    feed.tick('11', 1n);
    feed.tick('11', 9_000n);
    clockMs.value += 7_000;
    feed.tick('11', 1n);
    clockMs.value += 1_500;
    expect(debts.waiting()).toMatchObject([{ category: market.category, durationMs: 1_500 }]);
    // Its place in the index changes while it is sold, and a part of it leaves the rest due.
    const part = soldInPart(position, 60_000_000n);
    debts.update([{ position: part, market }], clockMs.value);
    expect(repaid).toEqual([]);
    clockMs.value += 500;
    debts.update([{ position: { ...part, chainState: 'liquidated' }, market }], clockMs.value);
    expect(repaid).toEqual([
      { positionKey, category: market.category, dueAtMs: sampleNowMs + 7_000, durationMs: 2_000 },
    ]);
    expect(debts.waiting()).toEqual([]);
  });

  test('measures a sale in parts when one of them ends the due period', () => {
    const { feed, debts, repaid, clockMs } = watching();
    debts.update([{ position, market }], sampleNowMs);
    feed.tick('11', 4_300n);
    clockMs.value += 1_000;
    // As much as before is owed on half of the tokens, then a tenth of it.
    debts.update([{ position: soldInPart(position, 40_000_000n), market }], clockMs.value);
    expect(repaid).toEqual([]);
    clockMs.value += 1_000;
    const last = { ...soldInPart(position, 4_000_000n), tokenUnits: tokenUnits(50_000_000n) };
    debts.update([{ position: { ...last, leverageChangedAtMs: sampleNowMs + 10_000 }, market }], clockMs.value);
    expect(repaid).toMatchObject([{ dueAtMs: sampleNowMs, durationMs: 2_000 }]);
    expect(debts.due()).toEqual([]);
  });

  test('measures no sale that was not due, and no debt that ends otherwise', () => {
    const { feed, debts, repaid, clockMs } = watching();
    debts.update([{ position, market }], sampleNowMs);
    debts.update([{ position: soldInPart(position), market }], sampleNowMs);
    // At the price of a day ahead it is polled, but the vault refuses its liquidation.
    debts.update([{ position, market }], sampleNowMs);
    feed.tick('11', raw(liquidationPriceAt(position, sampleNowMs)) + 1n);
    expect(debts.dueOf(position.positionKey)?.reason).toBe('liquidation');
    clockMs.value += 40_000;
    expect(debts.waiting()).toEqual([]);
    debts.update([{ position: { ...position, chainState: 'liquidated' }, market }], clockMs.value);
    const ends: Partial<Position>[] = [
      { chainState: 'settled' },
      { chainState: 'closed', closeRequestedAtMs: sampleNowMs },
      { chainState: 'closed', repaidMarginUsdcUnits: usdcUnits(80_000_000n) },
      { principalUsdcUnits: usdcUnits(0n), leverageChangedAtMs: sampleNowMs + 9_000 },
    ];
    for (const end of ends) {
      debts.update([{ position, market }], clockMs.value);
      feed.tick('11', 1n);
      expect(debts.waiting().length).toBe(1);
      debts.update([{ position: { ...position, ...end }, market }], clockMs.value);
    }
    expect(repaid).toEqual([]);
  });

  test('continues measuring while a market cannot be read', () => {
    const { feed, debts, repaid, clockMs } = watching();
    debts.update([{ position, market }], sampleNowMs);
    feed.tick('11', 1n);
    feed.tick('11', 1n, false);
    clockMs.value += 3_000;
    debts.update([{ position: soldInPart(position, 1_000_000n), market }], clockMs.value);
    expect(repaid).toEqual([]);
    expect(debts.waiting()).toMatchObject([{ durationMs: 3_000 }]);
  });

  test('stops where another keeper follows the market, and restarts once its share returns', async () => {
    const { feed, wake, debts, repaid, clockMs, lead, lose } = watching();
    debts.update([{ position, market }], sampleNowMs);
    debts.update([{ position: other, market }], sampleNowMs);
    feed.tick('11', 1n);
    lose();
    wake.take();
    feed.tick('12', 1n);
    debts.renew(sampleNowMs + 24 * hourMs);
    expect(wake.take()).toEqual([]);
    expect(debts.waiting()).toEqual([]);
    // Another keeper repays the first one; the other one is still due, with an unknown start.
    clockMs.value += 3_600_000;
    debts.update([{ position: { ...position, chainState: 'liquidated' }, market }], clockMs.value);
    await lead([{ position: other, market }]);
    expect(repaid).toEqual([]);
    expect(wake.take()).toEqual([other.positionKey]);
    expect(debts.size).toBe(1);
    clockMs.value += 2_000;
    expect(debts.waiting()).toMatchObject([{ category: market.category, durationMs: 2_000 }]);
    debts.update([{ position: { ...other, chainState: 'liquidated' }, market }], clockMs.value);
    expect(repaid).toMatchObject([{ positionKey: other.positionKey, durationMs: 2_000 }]);
    expect([...feed.watched]).toEqual([]);
    await lead();
    expect([...feed.watched]).toEqual([]);
  });

  test('restores hard exits at a restart, from memory or from orders', async () => {
    const { debts, wake, lead, lose } = watching();
    await lead([{ position, market, wasHardExitInForce: true }]);
    expect(debts.dueOf(position.positionKey)?.reason).toBe('hard_exit');
    expect(wake.take()).toEqual([position.positionKey]);
    lose();
    await lead([
      { position, market },
      { position: other, market },
    ]);
    expect(debts.isPastHardExit(position.positionKey)).toBe(true);
    expect(debts.isPastHardExit(other.positionKey)).toBe(false);
    await lead();
    await lead([{ position, market }]);
    expect(debts.isPastHardExit(position.positionKey)).toBe(false);
  });

  test('removes a market of another keeper, and retains its own', async () => {
    const { feed, debts, wake, lead, lose } = watching();
    await lead([{ position, market, wasHardExitInForce: true }]);
    debts.removeLost();
    expect([debts.size, feed.watched.size]).toEqual([1, 1]);
    lose();
    debts.removeLost();
    expect([debts.size, feed.watched.size]).toEqual([0, 0]);
    wake.take();
    // Another market was acquired: this one neither restarts nor loses anything.
    await debts.restart((marketId) => marketId === 'mkt_2', [], sampleNowMs);
    await lead([{ position, market }]);
    expect(debts.isPastHardExit(position.positionKey)).toBe(true);
    expect(wake.take()).toEqual([position.positionKey]);
  });

  test('a debt in a market without a readable record counts as unseen', () => {
    const { feed, debts } = watching();
    debts.update([{ position, market: { ...market, record: null } }], sampleNowMs);
    expect([...feed.watched]).toEqual([]);
    expect(debts.unseenTickers).toEqual(['market-1']);
    debts.updateMarkets([market]);
    expect([...feed.watched]).toEqual(['market-1']);
    expect(debts.unseenTickers).toEqual([]);
  });

  test('forwards newer records of markets with debt', () => {
    const { feed, debts } = watching();
    const recordOf = (gameStartTimeMs: number): VenueMarket => ({ ...record, gameStartTimeMs });
    debts.updateMarkets([{ ...market, record: recordOf(1) }]);
    expect([...feed.watched]).toEqual([]);
    debts.update([{ position, market }], sampleNowMs);
    debts.updateMarkets([{ ...market, record: recordOf(2) }]);
    expect(feed.records.get('market-1')?.gameStartTimeMs).toBe(2);
    // What grows old is renewed in the market as it is now.
    debts.renew(sampleNowMs + 12 * hourMs);
    expect(feed.records.get('market-1')?.gameStartTimeMs).toBe(2);
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
    debts.update([{ position: committed, market }], sampleNowMs);
    feed.tick('11', 4_801n);
    expect(debts.dueOf(positionKey)).toBeNull();
    feed.tick('11', 4_800n);
    expect(wake.take()).toEqual([positionKey]);
    expect(debts.dueOf(positionKey)?.reason).toBe('unwind');
    // Its target of 4x is reached: the next rung counts.
    debts.update([{ position: { ...committed, principalUsdcUnits: usdcUnits(60_000_000n) }, market }], sampleNowMs);
    expect(debts.dueOf(positionKey)).toBeNull();
    feed.tick('11', 4_600n);
    expect(debts.dueOf(positionKey)?.reason).toBe('unwind');
    clockMs.value += 40_000;
    expect(debts.waiting()).toMatchObject([{ category: market.category, durationMs: 40_000 }]);
    feed.tick('11', 4_601n);
    expect(debts.waiting()).toEqual([]);
    feed.tick('11', 4_600n);
  });

  test('ignores a mark that is not reliable enough for a sale', () => {
    const { feed, wake, debts } = watching();
    debts.update([{ position, market }], sampleNowMs);
    feed.tick('11', 1n, false);
    expect(wake.take()).toEqual([]);
    expect(debts.markOf('11')).toBeNull();
  });

  test('reports at once a position that was due before it was added', () => {
    const { feed, wake, debts } = watching();
    feed.tick('11', 1n);
    debts.update([{ position, market }], sampleNowMs);
    expect(wake.take()).toEqual([position.positionKey]);
  });

  test('renews a key after half a day: fees have raised the price', () => {
    const { feed, wake, debts } = watching();
    debts.update([{ position, market }], sampleNowMs);
    debts.update([{ position: other, market }], sampleNowMs);
    const laterMs = sampleNowMs + 20 * 24 * hourMs;
    const later = raw(liquidationPriceAt(position, laterMs + 24 * hourMs));
    expect(later).toBeGreaterThan(4_361n);
    feed.tick('11', later);
    debts.renew(sampleNowMs + 12 * hourMs - 1);
    expect(wake.take()).toEqual([]);
    debts.renew(laterMs);
    expect(wake.take()).toEqual([position.positionKey]);
  });

  test('watches a market as long as a position has debt there', () => {
    const { feed, wake, debts } = watching();
    debts.update([{ position, market }], sampleNowMs);
    debts.update([{ position: other, market }], sampleNowMs);
    expect(debts.size).toBe(2);
    debts.update([{ position: { ...position, chainState: 'liquidated' }, market }], sampleNowMs);
    expect([...feed.watched]).toEqual(['market-1']);
    debts.update([{ position: { ...other, principalUsdcUnits: usdcUnits(0n) }, market }], sampleNowMs);
    expect([...feed.watched]).toEqual([]);
    expect(debts.size).toBe(0);
    feed.tick('11', 1n);
    expect(wake.take()).toEqual([]);
  });
});
