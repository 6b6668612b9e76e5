import { hashOf, sampleNowMs, walletOf } from '@core/position/testing';
import { raw, usdcUnits, usdPips } from '@core/pricing';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noLimits, openTestStore, sampleReserve, type TestStore } from '../../testing/index.ts';
import type { ReserveLimits, ReserveOutcome } from './quotes.ts';

let opened: TestStore;
/** Every run uses its own market, partner and numbers, so runs share one database. */
let run = 0;

beforeAll(async () => {
  opened = await openTestStore(16);
});
afterAll(() => opened.close());

const limitsOf = (changes: Partial<ReserveLimits>): ReserveLimits => ({ ...noLimits, ...changes });

test('no number of parallel reservations passes a cap, and every refusal is one a serial run could give', async () => {
  const size = fc.record({
    notional: fc.bigInt(1n, 50n),
    borrow: fc.bigInt(0n, 40n),
    wallet: fc.nat(2),
    side: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(size, { minLength: 2, maxLength: 24 }),
      fc.record({ marketCap: fc.bigInt(1n, 400n), sideBorrowCap: fc.bigInt(1n, 300n), userCap: fc.bigInt(1n, 200n) }),
      async (sizes, { marketCap, sideBorrowCap, userCap }) => {
        run += 1;
        const marketId = `mkt_run_${run}`;
        const partnerId = `ptn_run_${run}`;
        const limits = limitsOf({
          userNotionalUsdPips: usdPips(userCap),
          marketNotionalUsdPips: usdPips(marketCap),
          sideBorrowUsdcUnits: usdcUnits(sideBorrowCap),
        });
        const outcomes = await Promise.all(
          sizes.map(({ notional, borrow, wallet, side }, index) =>
            opened.store.quotes.reserve(
              sampleReserve(run * 1_000 + index, {
                notionalUsdPips: usdPips(notional),
                borrowUsdcUnits: usdcUnits(borrow),
                limits,
                quote: { marketId, partnerId, walletAddress: walletOf(wallet), side: side ? 'yes' : 'no' },
              }),
            ),
          ),
        );
        const reserved = sizes.filter((_, index) => outcomes[index]?.kind === 'reserved');
        const usage = await opened.store.usage.read({
          partnerId,
          walletAddress: walletOf(0),
          marketId,
          clusterKey: null,
        });
        const sum = (entries: typeof sizes, of: (entry: (typeof sizes)[number]) => bigint): bigint =>
          entries.reduce((total, entry) => total + of(entry), 0n);
        // What is counted is what was granted, and it fits.
        expect(raw(usage.market.inFlightNotionalUsdPips)).toBe(sum(reserved, (entry) => entry.notional));
        expect(raw(usage.market.inFlightNotionalUsdPips)).toBeLessThanOrEqual(marketCap);
        expect(raw(usage.user.inFlightNotionalUsdPips)).toBeLessThanOrEqual(userCap);
        for (const side of ['yes', 'no'] as const) {
          const ofSide = reserved.filter((entry) => entry.side === (side === 'yes'));
          expect(raw(usage[side].inFlightBorrowUsdcUnits)).toBe(sum(ofSide, (entry) => entry.borrow));
          expect(raw(usage[side].inFlightBorrowUsdcUnits)).toBeLessThanOrEqual(sideBorrowCap);
        }
        expect(sizes.every((entry, index) => isTrue(entry, outcomes[index]))).toBe(true);
      },
    ),
    { numRuns: 40 },
  );
});

/** True unless a refusal claims a cap that was not exceeded. */
function isTrue(entry: { notional: bigint; borrow: bigint }, outcome: ReserveOutcome | undefined): boolean {
  if (outcome?.kind !== 'refused') {
    return outcome?.kind === 'reserved';
  }
  if (outcome.measure === 'borrow') {
    return raw(outcome.currentUsdcUnits) + entry.borrow > raw(outcome.limitUsdcUnits);
  }
  return (
    raw(outcome.currentUsdPips) + entry.notional > raw(outcome.limitUsdPips) &&
    raw(outcome.currentUsdPips) === raw(outcome.activeUsdPips) + raw(outcome.inFlightUsdPips)
  );
}

test('whatever happens to reservations, in any order and at once, counters end where the survivors put them', async () => {
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
      const { quotes, usage } = opened.store;
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
            await quotes.reserve(
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
            await usage.releaseExpired(due, 100);
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
