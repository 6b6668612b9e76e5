import { raw, type UsdcUnits, type UsdPips, usdcUnits, usdPips } from '@core/pricing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampleFacts } from '../../testing/samples.ts';
import { policyDefaults } from '../defaults.ts';
import { borrowLimitsOf, headroomOf, outcomeHeadroomOf } from './borrowLimits.ts';
import { availableNotionalOf, notionalLimitsOf } from './notionalLimits.ts';
import { partnerTermsOf } from './partnerTermsOf.ts';
import { quoteCapsOf } from './quoteCaps.ts';
import type { UsageCounters } from './usageSnapshot.ts';
import { usageSnapshotOf } from './usageSnapshotOf.ts';

const amount = fc.bigInt(0n, 60n);
const pips = amount.map(usdPips);
const units = amount.map(usdcUnits);
const loan = fc.option(fc.record({ loanUsdcUnits: units, capUsdcUnits: fc.bigInt(0n, 300n).map(usdcUnits) }));
const counters: fc.Arbitrary<UsageCounters> = fc.record({
  inFlightNotionalUsdPips: pips,
  inFlightBorrowUsdcUnits: units,
  activeNotionalUsdPips: pips,
  pendingBorrowUsdcUnits: units,
  lentBorrowUsdcUnits: units,
});
const caps = fc.bigInt(0n, 400n);
const anyCase = fc.record({
  usage: fc.record({
    user: counters,
    market: counters,
    yes: counters,
    no: counters,
    cluster: counters,
    partner: counters,
    global: counters,
  }),
  limits: fc.record({
    userNotionalUsdPips: caps.map(usdPips),
    sideNotionalUsdPips: caps.map(usdPips),
    marketNotionalUsdPips: caps.map(usdPips),
    partnerNotionalUsdPips: caps.map(usdPips),
    globalNotionalUsdPips: caps.map(usdPips),
    userBorrowUsdcUnits: caps.map(usdcUnits),
    sideBorrowUsdcUnits: caps.map(usdcUnits),
    marketBorrowUsdcUnits: caps.map(usdcUnits),
    totalBorrowUsdcUnits: caps.map(usdcUnits),
  }),
  chain: fc.record({
    pool: fc.record({
      idleUsdcUnits: units,
      reserveUsdcUnits: units,
      lentUsdcUnits: units,
      impairedUsdcUnits: units,
      freeLiquidityUsdcUnits: fc.bigInt(-10n, 400n).map(usdcUnits),
    }),
    yes: loan,
    no: loan,
  }),
  side: fc.constantFrom('yes' as const, 'no' as const),
  notional: fc.bigInt(1n, 60n),
  borrow: fc.bigInt(1n, 60n),
});

interface Caps {
  readonly notionalUsdPips?: UsdPips;
  readonly borrowUsdcUnits?: UsdcUnits;
  readonly promisedUsdcUnits?: UsdcUnits | null;
}

test('a counter is above one of its caps exactly when a limit of the gates has no room for the quote', () => {
  const outcomes = new Set<boolean>();
  fc.assert(
    fc.property(anyCase, ({ usage, limits, chain, side, notional, borrow }) => {
      const terms = { ...partnerTermsOf(), limits };
      const market = { facts: sampleFacts(), side };
      const isAbove = (
        { notionalUsdPips, borrowUsdcUnits, promisedUsdcUnits }: Caps,
        counted: UsageCounters,
      ): boolean => {
        const promised = raw(counted.inFlightBorrowUsdcUnits) + raw(counted.pendingBorrowUsdcUnits) + borrow;
        const total = raw(counted.activeNotionalUsdPips) + raw(counted.inFlightNotionalUsdPips) + notional;
        return (
          (notionalUsdPips !== undefined && total > raw(notionalUsdPips)) ||
          (borrowUsdcUnits !== undefined && promised + raw(counted.lentBorrowUsdcUnits) > raw(borrowUsdcUnits)) ||
          (promisedUsdcUnits !== undefined && promisedUsdcUnits !== null && promised > raw(promisedUsdcUnits))
        );
      };
      const bySide = { ...usage, side: usage[side] };
      const config = policyDefaults;
      const scopes = ['user', 'cluster', 'side', 'market', 'partner', 'global'] as const;
      const quoteCaps = quoteCapsOf(market, chain, { terms, config });
      const isRefused = scopes.some((scope) => isAbove(quoteCaps[scope], bySide[scope]));
      const snapshot = usageSnapshotOf(usage, chain);
      const borrowHeadrooms = (borrowLimitsOf(snapshot, market, { terms, config }) ?? []).map(headroomOf);
      const outcome = outcomeHeadroomOf(snapshot, side);
      const hasNoRoom =
        notionalLimitsOf(snapshot, side, terms).some((limit) => notional > raw(availableNotionalOf(limit))) ||
        [...borrowHeadrooms, ...(outcome === null ? [] : [outcome])].some((headroom) => borrow > raw(headroom));
      outcomes.add(isRefused);
      expect(isRefused).toBe(hasNoRoom);
    }),
    { numRuns: 2_000 },
  );
  expect(outcomes.size).toBe(2);
});
