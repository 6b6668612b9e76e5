import { type MarketSnapshot, sideOf } from '@core/market';
import type { Route, Side } from '@core/position';
import { compare, constants, type TokenUnits, venueFeeShareBpsOf } from '@core/pricing';
import type { PolicyConfig } from '../config.ts';
import { isBelowFillCost } from '../fill/isBelowFillCost.ts';
import { saleMarkOf } from '../market/marks.ts';
import { routes } from '../route/routes.ts';
import { saleLimitOf } from './saleLimit.ts';

/** Tokens of a position, and the forced sale that would sell them. */
export interface ForcedSale {
  readonly route: Route;
  readonly purpose: 'unwind' | 'liquidate';
  readonly side: Side;
  readonly tokenUnits: TokenUnits;
}

/**
 * Return true for tokens that are too few for a forced sale now: less than the smallest order, or in a grant worth less
 * than a fill costs. A position with no more awaits the settlement of its market, a better price, or a repayment.
 */
export function isUnsellable(
  snapshot: MarketSnapshot,
  { route, purpose, side, tokenUnits }: ForcedSale,
  config: PolicyConfig,
): boolean {
  if (compare(tokenUnits, constants.minOrderTokenUnits) < 0) return true;
  const { venueFee, tickPricePips } = snapshot.facts;
  const token = sideOf(snapshot, side);
  const mark = saleMarkOf(token, { tickPricePips, config });
  if (venueFee === null || token.book === null || mark === null) return false;
  const marked = { kind: purpose, slipBps: config.model.slipBps, markPricePips: mark, venueFee };
  const bounds = routes[route].saleBoundsOf(marked, config);
  const limit = saleLimitOf(token.book, { ...bounds, tokenUnits, tickPricePips });
  if (limit === null || bounds.fillerCost === null) return false;
  const venueFeeBps = venueFeeShareBpsOf({ pricePips: limit, schedule: venueFee });
  const prices = { markPricePips: mark, limitPricePips: limit, venueFeeBps };
  return isBelowFillCost({ ...prices, tokenUnits, book: token.book, venueFee }, bounds.fillerCost);
}
