import { grantMemoryMs, policyDefaults } from '@core/policy';
import { hashOf, walletOf } from '@core/position/testing';
import type { EndedGrantRecord, Store } from '@core/store';
import { Purpose } from '@core/vault';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { authorizedAtMs, grantOf } from '../../testing/endedGrant.ts';
import { FillWatch } from './fillWatch.ts';

const memoryS = grantMemoryMs(policyDefaults) / 1_000;
const dayS = 86_400;

/** Ended grant, filled unless it paid nothing. */
function recordOf(second: number, paid: bigint): EndedGrantRecord {
  const fill = { positionKey: hashOf(2), filler: walletOf(3), purpose: Purpose.Open, feeUsdcUnits: 0n };
  const fills = paid === 0n ? [] : [{ ...fill, usdcUnits: paid, tokenUnits: 1_000_000n }];
  return grantOf(second, paid, { isEndedByFill: paid > 0n, fills });
}

/** Seconds since the step before, blocks that are undone, and what ends in a new one; null without a block. */
const anyStep = fc.record({
  seconds: fc.oneof(fc.nat(60), fc.nat(2 * memoryS), fc.nat(2 * dayS)),
  undone: fc.nat(2),
  paid: fc.option(fc.bigInt({ min: 0n, max: 900_000n })),
});

test('fill watch: later readings begin near the newest grant, and know what a reading of the whole day does', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 25 }), async (steps) => {
      let nowMs = authorizedAtMs;
      let index: readonly EndedGrantRecord[] = [];
      const readsMs: number[] = [];
      const endedGrants: Store['chain']['endedGrants'] = async ({ sinceMs, limit }) => {
        readsMs.push(sinceMs);
        return index.filter(({ blockTimeMs }) => blockTimeMs >= sinceMs).slice(0, limit);
      };
      const watchOf = (): FillWatch =>
        new FillWatch({
          store: { chain: { endedGrants } },
          chainKey: 'c',
          route: 'fill',
          policy: policyDefaults,
          clock: { nowMs: () => nowMs },
        });
      const watch = watchOf();
      for (const { seconds, undone, paid } of steps) {
        const isRecent = ({ blockTimeMs }: EndedGrantRecord): boolean => blockTimeMs > nowMs - 60_000;
        index = [...index.slice(0, undone).filter((one) => !isRecent(one)), ...index.slice(undone)];
        const newestMs = index[0]?.blockTimeMs ?? 0;
        nowMs += seconds * 1_000;
        if (paid !== null) index = [recordOf((nowMs - authorizedAtMs) / 1_000, paid), ...index];
        await watch.update();
        const whole = watchOf();
        await whole.update();
        expect([watch.costs, watch.reports]).toEqual([whole.costs, whole.reports]);
        expect(readsMs.at(-2)).toBeGreaterThanOrEqual(newestMs - memoryS * 1_000);
      }
    }),
  );
});

test('fill watch: the route Direct has no grants to read', async () => {
  const endedGrants = () => Promise.reject(new Error('read'));
  const watch = new FillWatch({
    store: { chain: { endedGrants } },
    chainKey: 'c',
    route: 'direct',
    policy: policyDefaults,
    clock: { nowMs: () => 0 },
  });
  await watch.update();
  expect([watch.costs, watch.reports]).toEqual([[], []]);
});
