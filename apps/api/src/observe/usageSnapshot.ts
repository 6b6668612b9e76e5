import type { NotionalUsage, PoolSnapshot, UsageSnapshot } from '@core/policy';
import { add, max, subtract, type UsdcUnits, usdcUnits, usdPips } from '@core/pricing';
import type { MarketRecord, ReservationRecord, UsageByScope, UsageCounters } from '@core/store';
import type { OutcomeLoan, PoolView } from './poolReader.ts';

const noCounters: UsageCounters = {
  inFlightNotionalUsdPips: usdPips(0n),
  inFlightBorrowUsdcUnits: usdcUnits(0n),
  activeNotionalUsdPips: usdPips(0n),
  pendingBorrowUsdcUnits: usdcUnits(0n),
  lentBorrowUsdcUnits: usdcUnits(0n),
};

/** Counters of a scope nobody uses yet. */
export const emptyCounters = noCounters;

/** The usage behind the caps, for one caller on one market, in the words of the policy. */
export function usageSnapshotOf(
  counters: UsageByScope,
  chain: { readonly pool: PoolSnapshot | null; readonly yes: OutcomeLoan | null; readonly no: OutcomeLoan | null },
): UsageSnapshot {
  return {
    user: notionalOf(counters.user),
    market: notionalOf(counters.market),
    yes: notionalOf(counters.yes),
    no: notionalOf(counters.no),
    partner: notionalOf(counters.partner),
    global: notionalOf(counters.global),
    userBorrowedUsdcUnits: borrowedOf(counters.user),
    marketBorrowedUsdcUnits: borrowedOf(counters.market),
    yesBorrowedUsdcUnits: borrowedOf(counters.yes),
    noBorrowedUsdcUnits: borrowedOf(counters.no),
    clusterBorrowedUsdcUnits: borrowedOf(counters.cluster),
    yesOutcomeHeadroomUsdcUnits: headroomOf(chain.yes, counters.yes),
    noOutcomeHeadroomUsdcUnits: headroomOf(chain.no, counters.no),
    promisedBorrowUsdcUnits: promisedOf(counters.global),
    pool: chain.pool,
  };
}

/** The chain's part of a usage snapshot for one market. */
export function chainUsageOf(pool: PoolView, record: MarketRecord) {
  return {
    pool: pool.pool(),
    yes: pool.outcomeLoanOf(record.yesOutcomeId),
    no: pool.outcomeLoanOf(record.noOutcomeId),
  };
}

/**
 * The same counters without what one live reservation adds to them: promotions of a draft share a reservation, so the
 * next one must not be refused for the room the last one holds.
 */
export function withoutReservation(
  counters: UsageByScope,
  reservation: ReservationRecord | null,
  side: 'yes' | 'no',
): UsageByScope {
  if (reservation?.state !== 'live') return counters;
  const less = (scope: UsageCounters): UsageCounters => ({
    ...scope,
    inFlightNotionalUsdPips: max(
      usdPips(0n),
      subtract(scope.inFlightNotionalUsdPips, reservation.inFlightNotionalUsdPips),
    ),
    inFlightBorrowUsdcUnits: max(
      usdcUnits(0n),
      subtract(scope.inFlightBorrowUsdcUnits, reservation.inFlightBorrowUsdcUnits),
    ),
  });
  return {
    user: less(counters.user),
    market: less(counters.market),
    yes: side === 'yes' ? less(counters.yes) : counters.yes,
    no: side === 'no' ? less(counters.no) : counters.no,
    cluster: less(counters.cluster),
    partner: less(counters.partner),
    global: less(counters.global),
  };
}

/** Sum of counters, for scopes that are kept per market only. */
export function sumCounters(all: Iterable<UsageCounters>): UsageCounters {
  let sum = noCounters;
  for (const counters of all) {
    sum = {
      inFlightNotionalUsdPips: add(sum.inFlightNotionalUsdPips, counters.inFlightNotionalUsdPips),
      inFlightBorrowUsdcUnits: add(sum.inFlightBorrowUsdcUnits, counters.inFlightBorrowUsdcUnits),
      activeNotionalUsdPips: add(sum.activeNotionalUsdPips, counters.activeNotionalUsdPips),
      pendingBorrowUsdcUnits: add(sum.pendingBorrowUsdcUnits, counters.pendingBorrowUsdcUnits),
      lentBorrowUsdcUnits: add(sum.lentBorrowUsdcUnits, counters.lentBorrowUsdcUnits),
    };
  }
  return sum;
}

function notionalOf(counters: UsageCounters): NotionalUsage {
  const { activeNotionalUsdPips, inFlightNotionalUsdPips } = counters;
  return { activeNotionalUsdPips, inFlightNotionalUsdPips };
}

/** Promised but not yet lent. */
function promisedOf(counters: UsageCounters): UsdcUnits {
  return add(counters.inFlightBorrowUsdcUnits, counters.pendingBorrowUsdcUnits);
}

function borrowedOf(counters: UsageCounters): UsdcUnits {
  return add(promisedOf(counters), counters.lentBorrowUsdcUnits);
}

function headroomOf(loan: OutcomeLoan | null, side: UsageCounters): UsdcUnits | null {
  if (loan === null) return null;
  const free = subtract(loan.capUsdcUnits, loan.lentUsdcUnits);
  return max(usdcUnits(0n), subtract(free, promisedOf(side)));
}
