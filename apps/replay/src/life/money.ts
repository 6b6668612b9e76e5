import {
  add,
  isDust,
  isZero,
  lifetimeFeeOf,
  liquidationFeeOf,
  min,
  pricePips,
  type RateBps,
  rateBps,
  subtract,
  type TokenUnits,
  type UsdcUnits,
  usdcUnits,
  valueOf,
} from '@core/pricing';
import type { Entry } from './entry.ts';

const nothing = usdcUnits(0n);

/** Money of one life. Payments in and out are equal, to the unit, once it has ended. */
export interface Account {
  readonly tokenUnits: TokenUnits;
  readonly principalUsdcUnits: UsdcUnits;
  /** Time from which the lifetime fee accrues on this principal. */
  readonly accruesSinceMs: number;
  readonly lifetimeFeeAprBps: RateBps;
  /** Fee accrued before the last change of principal and not yet paid. */
  readonly pendingFeeUsdcUnits: UsdcUnits;
  /** Received for sold tokens, less the fee. */
  readonly soldUsdcUnits: UsdcUnits;
  readonly repaidUsdcUnits: UsdcUnits;
  readonly lifetimeFeeUsdcUnits: UsdcUnits;
  readonly liquidationFeeUsdcUnits: UsdcUnits;
  readonly payoutUsdcUnits: UsdcUnits;
  readonly userUsdcUnits: UsdcUnits;
  readonly badDebtUsdcUnits: UsdcUnits;
}

export function openedAccountOf(entry: Entry, lifetimeFeeAprBps: RateBps): Account {
  return {
    tokenUnits: entry.tokenUnits,
    principalUsdcUnits: entry.borrowUsdcUnits,
    accruesSinceMs: entry.atMs,
    lifetimeFeeAprBps,
    pendingFeeUsdcUnits: nothing,
    soldUsdcUnits: nothing,
    repaidUsdcUnits: nothing,
    lifetimeFeeUsdcUnits: nothing,
    liquidationFeeUsdcUnits: nothing,
    payoutUsdcUnits: nothing,
    userUsdcUnits: nothing,
    badDebtUsdcUnits: nothing,
  };
}

/** Return the lifetime fee due at a moment. */
export function dueFeeOf(account: Account, atMs: number): UsdcUnits {
  const elapsedSeconds = Math.max(0, Math.floor((atMs - account.accruesSinceMs) / 1_000));
  return add(account.pendingFeeUsdcUnits, lifetimeFeeOf({ ...account, elapsedSeconds }));
}

/** Return principal and fees due at a moment. */
export function debtAt(account: Account, atMs: number): UsdcUnits {
  return add(account.principalUsdcUnits, dueFeeOf(account, atMs));
}

export interface Sale {
  readonly atMs: number;
  readonly soldTokenUnits: TokenUnits;
  /** Received, less the fee. */
  readonly netUsdcUnits: UsdcUnits;
  /** Zero unless the sale is a liquidation. */
  readonly liquidationFeeBps: RateBps;
}

/** Distribute a sale as the vault does: principal, lifetime fee, liquidation fee, then the user. */
export function withProceeds(account: Account, sale: Sale): Account {
  return {
    ...distributed(account, sale),
    tokenUnits: subtract(account.tokenUnits, sale.soldTokenUnits),
    soldUsdcUnits: add(account.soldUsdcUnits, sale.netUsdcUnits),
  };
}

/** Return true while debt is left on tokens. Debt of a position that was sold out is a loss already. */
export function owes({ principalUsdcUnits, tokenUnits }: Account): boolean {
  return !isZero(principalUsdcUnits) && !isDust(tokenUnits);
}

/** Resolve: each token pays one USD or nothing, and the unpaid rest is a loss of the pool. */
export function withResolution(account: Account, end: { readonly atMs: number; readonly isWinner: boolean }): Account {
  const { tokenUnits } = account;
  const payout = end.isWinner ? oneUsdEach(tokenUnits) : nothing;
  const paid = distributed(account, { atMs: end.atMs, netUsdcUnits: payout, liquidationFeeBps: rateBps(0n) });
  return {
    ...paid,
    payoutUsdcUnits: add(account.payoutUsdcUnits, payout),
    principalUsdcUnits: nothing,
    badDebtUsdcUnits: paid.principalUsdcUnits,
  };
}

const oneUsdEach = (tokens: TokenUnits): UsdcUnits => valueOf(tokens, pricePips(10_000n), 'down');

function distributed(
  account: Account,
  money: { readonly atMs: number; readonly netUsdcUnits: UsdcUnits; readonly liquidationFeeBps: RateBps },
): Account {
  const feeDue = dueFeeOf(account, money.atMs);
  const principal = min(money.netUsdcUnits, account.principalUsdcUnits);
  const afterPrincipal = subtract(money.netUsdcUnits, principal);
  const lifetime = min(afterPrincipal, feeDue);
  const afterLifetime = subtract(afterPrincipal, lifetime);
  const liquidation = min(afterLifetime, liquidationFeeOf(principal, money.liquidationFeeBps));
  return {
    ...account,
    principalUsdcUnits: subtract(account.principalUsdcUnits, principal),
    accruesSinceMs: money.atMs,
    pendingFeeUsdcUnits: subtract(feeDue, lifetime),
    repaidUsdcUnits: add(account.repaidUsdcUnits, principal),
    lifetimeFeeUsdcUnits: add(account.lifetimeFeeUsdcUnits, lifetime),
    liquidationFeeUsdcUnits: add(account.liquidationFeeUsdcUnits, liquidation),
    userUsdcUnits: add(account.userUsdcUnits, subtract(afterLifetime, liquidation)),
  };
}
