import type { UsdcUnits, UsdPips } from '@core/pricing';

/** Notional in use: positions in the `active` group (pending at the quoted size) and live quotes. */
export interface NotionalUsage {
  readonly activeNotionalUsdPips: UsdPips;
  readonly inFlightNotionalUsdPips: UsdPips;
}

/** Amounts that count against the caps in one scope. */
export interface UsageCounters extends NotionalUsage {
  readonly inFlightBorrowUsdcUnits: UsdcUnits;
  /** Borrow of pending positions the pool has not lent to yet. */
  readonly pendingBorrowUsdcUnits: UsdcUnits;
  /** Principal outstanding. */
  readonly lentBorrowUsdcUnits: UsdcUnits;
}

/** The counters of every scope one caller's quote on one market counts in. */
export interface UsageByScope {
  readonly user: UsageCounters;
  readonly market: UsageCounters;
  readonly yes: UsageCounters;
  readonly no: UsageCounters;
  readonly cluster: UsageCounters;
  readonly partner: UsageCounters;
  readonly global: UsageCounters;
}

/** Loan of an outcome from the pool, impaired or not, and its maximum. */
export interface OutcomeLoan {
  readonly loanUsdcUnits: UsdcUnits;
  readonly capUsdcUnits: UsdcUnits;
}

/** The pool as the chain shows it. Idle and lent capital are its assets; impaired loans fill its caps alone. */
export interface PoolSnapshot {
  readonly idleUsdcUnits: UsdcUnits;
  readonly reserveUsdcUnits: UsdcUnits;
  readonly lentUsdcUnits: UsdcUnits;
  readonly impairedUsdcUnits: UsdcUnits;
  /** The pool's own view `freeLiquidity`. */
  readonly freeLiquidityUsdcUnits: UsdcUnits;
}

/** One reading of the chain: the pool and the loans of both outcomes of a market; null where unknown. */
export interface ChainUsage {
  readonly pool: PoolSnapshot | null;
  readonly yes: OutcomeLoan | null;
  readonly no: OutcomeLoan | null;
}

/**
 * Usage behind the caps at one moment, for one caller on one market. Borrow counts principal of open
 * positions, borrow of pending ones and of live quotes.
 */
export interface UsageSnapshot {
  readonly user: NotionalUsage;
  readonly market: NotionalUsage;
  readonly yes: NotionalUsage;
  readonly no: NotionalUsage;
  readonly partner: NotionalUsage;
  readonly global: NotionalUsage;
  readonly userBorrowedUsdcUnits: UsdcUnits;
  readonly marketBorrowedUsdcUnits: UsdcUnits;
  readonly yesBorrowedUsdcUnits: UsdcUnits;
  readonly noBorrowedUsdcUnits: UsdcUnits;
  /** Borrow of all markets that resolve on the same event: one crypto hour or one game. */
  readonly clusterBorrowedUsdcUnits: UsdcUnits;
  /** Remainder of the pool's cap of this outcome, less the reservations on it; null without a cap. */
  readonly yesOutcomeHeadroomUsdcUnits: UsdcUnits | null;
  readonly noOutcomeHeadroomUsdcUnits: UsdcUnits | null;
  /** Borrow promised but not yet lent: pending positions before their first order, and live quotes. */
  readonly promisedBorrowUsdcUnits: UsdcUnits;
  /** Principal of all open positions. The pool's own loans may have been read before or after it changed. */
  readonly lentBorrowUsdcUnits: UsdcUnits;
  /** Null when the chain could not be read: capacities are unknown then. */
  readonly pool: PoolSnapshot | null;
}
