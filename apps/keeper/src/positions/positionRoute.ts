import type { Route } from '@core/policy';
import { isManagedToken } from '@core/vault';

/**
 * Return the route of a position's orders. Outcomes of the PositionManager have grants on either route: the vault gives
 * them no other order.
 */
export function positionRouteOf(route: Route, venueTokenId: string): Route {
  return isManagedToken(BigInt(venueTokenId)) ? 'fill' : route;
}
