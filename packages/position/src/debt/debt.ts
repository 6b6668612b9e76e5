import { add, type Debt, lifetimeFeeOf, liquidationPriceOf, type PricePips, type UsdcUnits } from '@core/pricing';
import type { Position } from '../record/position.ts';

/** Fields of a position that its interest follows from. */
type InterestTerms = Pick<Position, 'principalUsdcUnits' | 'lifetimeFeeAprBps' | 'principalChangedAtMs'>;

/**
 * Return the lifetime fee since the last change of principal, as the vault accrues it: whole seconds, rounded up to a
 * USDC unit. Nothing accrues before the block of the last change.
 */
export function accruedLifetimeFeeOf(position: InterestTerms, atMs: number): UsdcUnits {
  const sinceMs = position.principalChangedAtMs ?? atMs;
  return lifetimeFeeOf({
    principalUsdcUnits: position.principalUsdcUnits,
    lifetimeFeeAprBps: position.lifetimeFeeAprBps,
    elapsedSeconds: Math.max(0, Math.floor((atMs - sinceMs) / 1_000)),
  });
}

/** Lifetime fees due at an instant: pending and accrued, in USDC units. */
export function dueLifetimeFeeOf(position: Position, atMs: number): UsdcUnits {
  return add(position.pendingLifetimeFeeUsdcUnits, accruedLifetimeFeeOf(position, atMs));
}

/**
 * Return the debt of a position at an instant: principal, or the bad debt left at its end, and the lifetime fees due by
 * then.
 */
export function debtOf(position: Position, atMs: number): Debt {
  return {
    principalUsdcUnits: add(position.principalUsdcUnits, position.badDebtUsdcUnits),
    feesUsdcUnits: dueLifetimeFeeOf(position, atMs),
  };
}

/** The vault's liquidation price at an instant. Pips, rounded down; 0 without debt. */
export function liquidationPriceAt(position: Position, atMs: number): PricePips {
  return liquidationPriceOf({
    ...debtOf(position, atMs),
    liquidationFeeBps: position.liquidationFeeBps,
    exitBufferBps: position.exitBufferBps,
    tokenUnits: position.tokenUnits,
  });
}
