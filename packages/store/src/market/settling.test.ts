import { sampleNowMs, samplePosition } from '@core/position/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestStore, sampleMarket, type TestStore } from '../../testing/index.ts';

let testStore: TestStore;
beforeAll(async () => {
  testStore = await openTestStore();
});
afterAll(() => testStore.close());

const nowMs = sampleNowMs;

test('settling: payouts are recorded → the market waits until the last batch of its active positions', async () => {
  const { markets, positions } = testStore.store;
  const { discovered } = await markets.sync([sampleMarket(1), sampleMarket(2)], nowMs);
  const [market, other] = discovered;
  if (market === undefined || other === undefined) throw new Error('two markets were listed');
  for (let number = 0; number < 7; number += 1) {
    const status = number === 3 ? 'closed' : 'open';
    const position = samplePosition(number, { marketId: number === 6 ? other.id : market.id, status });
    await positions.put({ position, transactions: [], unwinds: [], partialCloses: [], ledger: [] });
  }
  expect(await markets.settling({ except: [], limit: 10 })).toEqual([]);
  const payouts = { venueMarketId: market.venueMarketId, numerators: [1n, 0n], denominator: 1n, nowMs };
  expect(await markets.recordPayouts(payouts)).toBe(true);
  expect(await markets.recordPayouts(payouts)).toBe(false);

  const [settling] = await markets.settling({ except: [], limit: 10 });
  expect(settling).toEqual({ id: market.id, ticker: market.ticker, settledAfter: '' });
  expect(await markets.settling({ except: [market.id], limit: 10 })).toEqual([]);
  const pages: number[] = [];
  for (let afterId: string | null = ''; afterId !== null; ) {
    const page = await positions.activeAfter({ marketId: market.id, afterId, limit: 2 });
    pages.push(page.length);
    const to: string | null = page.length < 2 ? null : (page.at(-1)?.id ?? null);
    expect(await markets.moveSettling(market.id, { from: afterId, to })).toBe(true);
    expect(await markets.moveSettling(market.id, { from: afterId, to })).toBe(false);
    afterId = to;
  }
  expect(pages).toEqual([2, 2, 1]);
  expect(await markets.settling({ except: [], limit: 10 })).toEqual([]);
});
