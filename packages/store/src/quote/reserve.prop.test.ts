import { hashOf, sampleNowMs, walletOf } from '@core/position/testing';
import { raw, usdcUnits, usdPips } from '@core/pricing';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestStore, releaseDue, reserveQuote, sampleReserve, type TestStore } from '../../testing/index.ts';

let testStore: TestStore;
/** Every run uses its own market, partner and numbers, so runs share one database. */
let run = 0;

beforeAll(async () => {
  testStore = await openTestStore(16);
});
afterAll(() => testStore.close());

test('counters equal the sum of the reservations after any concurrent order of steps', async () => {
  const step = fc.record({
    quote: fc.nat(4),
    kind: fc.constantFrom('reserve', 'release', 'create', 'forget', 'finish'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), async (steps) => {
      run += 1;
      const marketId = `mkt_life_${run}`;
      const scope = {
        partnerId: `ptn_life_${run}`,
        walletAddress: walletOf(1),
        marketId,
        side: 'yes',
        clusterKey: 'c',
      } as const;
      const { usage } = testStore.store;
      const due = sampleNowMs + 45_000;
      const act = async ({ quote, kind }: (typeof steps)[number], index: number): Promise<void> => {
        const number = run * 1_000 + quote;
        const positionKey = hashOf(number);
        const state = {
          positionKey,
          scope,
          activeNotionalUsdPips: usdPips(9n),
          pendingBorrowUsdcUnits: usdcUnits(7n),
          lentBorrowUsdcUnits: usdcUnits(0n),
        };
        switch (kind) {
          case 'reserve':
            await reserveQuote(
              testStore.store,
              sampleReserve(number, {
                notionalUsdPips: usdPips(10n + BigInt(index)),
                clusterKey: 'c',
                quote: {
                  ...scope,
                  positionKey,
                  id: `off_${run}_${index}`,
                  digest: hashOf(number * 100 + index),
                },
              }),
            );
            return;
          case 'release':
            await releaseDue(usage, due);
            return;
          case 'create':
            await usage.setPosition(state);
            return;
          case 'finish':
            await usage.setPosition({
              ...state,
              activeNotionalUsdPips: usdPips(0n),
              pendingBorrowUsdcUnits: usdcUnits(0n),
            });
            return;
          case 'forget':
            await usage.forgetPosition(positionKey, due);
        }
      };
      await Promise.all(steps.map(act));
      let inFlight = 0n;
      let active = 0n;
      for (let quote = 0; quote < 5; quote += 1) {
        const reservation = await usage.reservation(hashOf(run * 1_000 + quote));
        inFlight += raw(reservation?.inFlightNotionalUsdPips ?? usdPips(0n));
        active += raw(reservation?.activeNotionalUsdPips ?? usdPips(0n));
      }
      const counted = await usage.read(scope);
      for (const counters of [counted.user, counted.market, counted.yes, counted.partner]) {
        expect(raw(counters.inFlightNotionalUsdPips)).toBe(inFlight);
        expect(raw(counters.activeNotionalUsdPips)).toBe(active);
      }
    }),
    { numRuns: 40 },
  );
});
