import { startTestApi, type TestApi, wallets, writePosition, writtenPosition } from '@core/api/testing';
import { pricePips, tokenUnits } from '@core/pricing';
import { Lev, type LevUser, type OpenPosition } from '@core/sdk';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { positionAt } from '../web/src/live/positionAt.ts';

let api: TestApi;
let me: LevUser;
let positionId: string;

beforeAll(async () => {
  api = await startTestApi();
  const authorization = await api.userOf(wallets.alice);
  me = new Lev({ baseUrl: api.api.url }).asUser(authorization.split(' ')[1] ?? '');
  const market = await api.store.markets.byTicker('btc-up');
  if (market === null) throw new Error('the market is not listed');
  const owner = { partnerId: api.partners[0]?.record.id ?? '', walletAddress: wallets.alice };
  const position = writtenPosition({ number: 1, ...owner, market, status: 'open' });
  await writePosition(api.store, position, null);
  positionId = position.id;
});
afterAll(() => api.close());

async function readPosition(): Promise<OpenPosition> {
  const position = await me.positions.get(positionId, { expand: ['basis'] });
  if (!('current' in position)) throw new Error(`the position is ${position.status}`);
  return position;
}

/** Return a book with a spread of one cent around a price. */
function bookAt(middlePips: number) {
  const sizeTokenUnits = tokenUnits(20_000_000_000n);
  return {
    bids: [{ pricePips: pricePips(BigInt(middlePips - 50)), sizeTokenUnits }],
    asks: [{ pricePips: pricePips(BigInt(middlePips + 50)), sizeTokenUnits }],
  };
}

test('positionAt: a later price and moment → every figure equals the response of the service then', async () => {
  const first = await readPosition();
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 100, max: 9_900 }),
      fc.integer({ min: 0, max: 60_000 }),
      async (middlePips, laterMs) => {
        api.live.setBook('btc-up', 'yes', bookAt(middlePips));
        api.clock.advanceMs(laterMs);
        const now = await readPosition();
        const moment = { markPricePips: BigInt(now.current.mark_price_usd_pips), nowMs: api.clock.nowMs() };
        const { current, risk, fees } = positionAt(first, moment);
        expect({ current, risk, fees }).toEqual({ current: now.current, risk: now.risk, fees: now.fees });
      },
    ),
    { numRuns: 40 },
  );
});

test('positionAt: a position without its valuation basis → unchanged', async () => {
  const { basis: _basis, ...position } = await readPosition();
  expect(positionAt(position, { markPricePips: 1n, nowMs: 0 })).toBe(position);
});
