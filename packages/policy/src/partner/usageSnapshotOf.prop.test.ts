import { raw, usdcUnits, usdPips } from '@core/pricing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { UsageByScope, UsageCounters } from './usageSnapshot.ts';
import { usageSnapshotOf } from './usageSnapshotOf.ts';

const anyAmount = fc.bigInt({ min: 0n, max: 10n ** 12n });
const anyCounters: fc.Arbitrary<UsageCounters> = fc
  .tuple(anyAmount, anyAmount, anyAmount, anyAmount, anyAmount)
  .map(([inFlight, inFlightBorrow, active, pending, lent]) => ({
    inFlightNotionalUsdPips: usdPips(inFlight),
    inFlightBorrowUsdcUnits: usdcUnits(inFlightBorrow),
    activeNotionalUsdPips: usdPips(active),
    pendingBorrowUsdcUnits: usdcUnits(pending),
    lentBorrowUsdcUnits: usdcUnits(lent),
  }));
const anyUsage: fc.Arbitrary<UsageByScope> = fc.record({
  user: anyCounters,
  market: anyCounters,
  yes: anyCounters,
  no: anyCounters,
  cluster: anyCounters,
  partner: anyCounters,
  global: anyCounters,
});
const unread = { pool: null, yes: null, no: null };

describe('usageSnapshotOf', () => {
  test('borrow is what is lent, pending and quoted; the promised part is not lent yet', () => {
    fc.assert(
      fc.property(anyUsage, (usage) => {
        const snapshot = usageSnapshotOf(usage, unread);
        const { lentBorrowUsdcUnits, pendingBorrowUsdcUnits, inFlightBorrowUsdcUnits } = usage.global;
        expect(raw(snapshot.promisedBorrowUsdcUnits)).toBe(raw(pendingBorrowUsdcUnits) + raw(inFlightBorrowUsdcUnits));
        expect(raw(usageSnapshotOf({ ...usage, user: usage.global }, unread).userBorrowedUsdcUnits)).toBe(
          raw(snapshot.promisedBorrowUsdcUnits) + raw(lentBorrowUsdcUnits),
        );
        expect([snapshot.yesOutcomeHeadroomUsdcUnits, snapshot.noOutcomeHeadroomUsdcUnits]).toEqual([null, null]);
      }),
    );
  });

  test('headroom of an outcome is its cap less what is lent and promised, never below zero', () => {
    fc.assert(
      fc.property(anyUsage, anyAmount, anyAmount, (usage, cap, lent) => {
        const yes = { capUsdcUnits: usdcUnits(cap), loanUsdcUnits: usdcUnits(lent) };
        const remainder = cap - lent - raw(usage.yes.pendingBorrowUsdcUnits) - raw(usage.yes.inFlightBorrowUsdcUnits);
        const headroom = usageSnapshotOf(usage, { ...unread, yes }).yesOutcomeHeadroomUsdcUnits;
        expect(headroom).toBe(usdcUnits(remainder > 0n ? remainder : 0n));
      }),
    );
  });
});
