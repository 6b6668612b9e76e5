import { isUnsellable, type PolicyConfig, type Route } from '@core/policy';
import type { DebtWatch } from './debtWatch.ts';

export interface UnsellableOptions {
  readonly policy: PolicyConfig;
  /** Return the route of the orders for a token. */
  readonly routeOf: (tokenId: string) => Route;
}

/**
 * Return the positions with a due debt whose tokens are too few for any sale: nothing repays them before the settlement
 * of their market, so they say nothing about the time that a sale takes.
 */
export function unsellableDebts(
  debts: Pick<DebtWatch, 'due' | 'positionOf' | 'snapshotOf'>,
  { policy, routeOf }: UnsellableOptions,
): ReadonlySet<string> {
  const unsellable = debts.due().filter(({ positionKey, reason }) => {
    const position = debts.positionOf(positionKey);
    const snapshot = position === null ? null : debts.snapshotOf(position.venueTokenId);
    if (position === null || snapshot === null) return false;
    const { venueTokenId, side, tokenUnits } = position;
    const purpose = reason === 'liquidation' ? 'liquidate' : 'unwind';
    return isUnsellable(snapshot, { route: routeOf(venueTokenId), purpose, side, tokenUnits }, policy);
  });
  return new Set(unsellable.map(({ positionKey }) => positionKey));
}
