import { add, type UsdcUnits, usdcUnits, usdPips } from '@core/pricing';
import { headroomOf } from './borrowLimits.ts';
import type {
  ChainUsage,
  NotionalUsage,
  OutcomeLoan,
  UsageByScope,
  UsageCounters,
  UsageSnapshot,
} from './usageSnapshot.ts';

/** Counters of a scope in which nothing was ever opened or quoted. */
export const noUsage: UsageCounters = {
  inFlightNotionalUsdPips: usdPips(0n),
  inFlightBorrowUsdcUnits: usdcUnits(0n),
  activeNotionalUsdPips: usdPips(0n),
  pendingBorrowUsdcUnits: usdcUnits(0n),
  lentBorrowUsdcUnits: usdcUnits(0n),
};

/** The usage behind the caps, for one caller on one market, from the counters and what the chain shows. Exact sums. */
export function usageSnapshotOf(counters: UsageByScope, chain: ChainUsage): UsageSnapshot {
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
    yesOutcomeHeadroomUsdcUnits: outcomeHeadroomOf(chain.yes, counters.yes),
    noOutcomeHeadroomUsdcUnits: outcomeHeadroomOf(chain.no, counters.no),
    promisedBorrowUsdcUnits: promisedOf(counters.global),
    lentBorrowUsdcUnits: counters.global.lentBorrowUsdcUnits,
    pool: chain.pool,
  };
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

function outcomeHeadroomOf(loan: OutcomeLoan | null, side: UsageCounters): UsdcUnits | null {
  if (loan === null) return null;
  const { capUsdcUnits, loanUsdcUnits } = loan;
  return headroomOf({ capUsdcUnits, currentUsdcUnits: add(loanUsdcUnits, promisedOf(side)) });
}
