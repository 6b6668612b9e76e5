import { type MarketSnapshot, sideOf } from '@core/market';
import {
  decideUnwind,
  type OwingPosition,
  type PolicyConfig,
  routes,
  saleMarkOf,
  type UnwindDecision,
} from '@core/policy';
import { closableTokensOf } from '@core/position';
import {
  bestBidOf,
  isLiquidatable,
  isZero,
  liquidationPriceOf,
  type OrderBook,
  type PricePips,
  pricePips,
  rateBps,
  raw,
  subtract,
  type TokenUnits,
  venueFeeOfFills,
  walkBids,
} from '@core/pricing';
import type { Entry } from './entry.ts';
import { type Account, debtAt, dueFeeOf, type Sale, withProceeds } from './money.ts';

/** Kind of sale that repaid debt. */
export type ExitKind = 'cover' | 'hard_exit' | 'liquidation';

/** Rule that repays debt: the shipped policy, or liquidations alone, with which it is compared. */
export type Protection = 'policy' | 'liquidation';

export interface Watched {
  readonly entry: Entry;
  readonly account: Account;
  readonly isHardExitInForce: boolean;
  readonly protection: Protection;
}

/** Result of an attempt to sell. */
export interface Attempt {
  readonly account: Account;
  /** Null when nothing was sold. */
  readonly kind: ExitKind | null;
  /** Grants of the attempt, and those of them with a fill; an order has none. */
  readonly grantCount: number;
  readonly filledGrantCount: number;
  /** Time at which the next attempt may begin. */
  readonly atMs: number;
}

export type Order = Extract<UnwindDecision, { kind: 'sell' }>;

const noFee = rateBps(0n);
/** Maximum fee rate of the deployed exchange, with which the vault reckons the cover of a sale by order. */
const venueMaxFeeBps = rateBps(500n);
const emptyBook: OrderBook = { bids: [], asks: [] };

/** Return the liquidation price of the vault for a position at a moment. */
export function liquidationPriceAt(account: Account, atMs: number, config: PolicyConfig): PricePips {
  return liquidationPriceOf({
    principalUsdcUnits: account.principalUsdcUnits,
    feesUsdcUnits: dueFeeOf(account, atMs),
    liquidationFeeBps: config.fees.liquidationFeeBps,
    exitBufferBps: config.model.exitBufferBps,
    tokenUnits: account.tokenUnits,
  });
}

/** Return the shipped decision about the debt of a position at a moment. Without the policy nothing is unwound. */
export function decisionAt(snapshot: MarketSnapshot, watched: Watched, config: PolicyConfig): UnwindDecision {
  return watched.protection === 'liquidation'
    ? { kind: 'none' }
    : decideUnwind(snapshot, owingPositionOf(snapshot, watched, config), config);
}

/** Return a position as the keeper observes it on the route of the policy. */
export function owingPositionOf(snapshot: MarketSnapshot, watched: Watched, config: PolicyConfig): OwingPosition {
  const { entry, account, isHardExitInForce } = watched;
  return {
    route: config.openingRoute,
    side: entry.side,
    tokenUnits: account.tokenUnits,
    collateralUsdcUnits: entry.collateralUsdcUnits,
    principalUsdcUnits: account.principalUsdcUnits,
    debtUsdcUnits: debtAt(account, snapshot.nowMs),
    liquidationPricePips: liquidationPriceAt(account, snapshot.nowMs, config),
    maxVenueFeeBps: venueMaxFeeBps,
    plannedUnwinds: [],
    owesSinceMs: entry.atMs,
    wasHardExitInForce: isHardExitInForce,
    killedCount: 0,
    sinceLastOrderMs: null,
  };
}

/** Return the mark that bounds a forced sale of a position; null without bids. */
export function markOf(snapshot: MarketSnapshot, { entry }: Watched, config: PolicyConfig): PricePips | null {
  const { tickPricePips } = snapshot.facts;
  const isBid = bestBidOf(bookOf(snapshot, entry)) !== null;
  return isBid ? saleMarkOf(sideOf(snapshot, entry.side), { tickPricePips, config }) : null;
}

/** Return true when the vault allows a liquidation at a mark. */
export function isLiquidationDue(snapshot: MarketSnapshot, watched: Watched, config: PolicyConfig): boolean {
  const mark = markOf(snapshot, watched, config);
  return mark !== null && isLiquidatable(mark, liquidationPriceAt(watched.account, snapshot.nowMs, config));
}

/**
 * Sell by order what the shipped decisions order at a moment: a liquidation where the mark allows one, else the unwind.
 * An order from the trigger, already at the venue, also fills while the bids still take it.
 */
export function attemptByOrder(
  snapshot: MarketSnapshot,
  watched: Watched,
  { ordered, config }: { readonly ordered: Order | null; readonly config: PolicyConfig },
): Attempt {
  const { account, kind } = soldByOrder(snapshot, watched, { ordered, config }) ?? {
    account: watched.account,
    kind: null,
  };
  return { account, kind, grantCount: 0, filledGrantCount: 0, atMs: snapshot.nowMs };
}

function soldByOrder(
  snapshot: MarketSnapshot,
  watched: Watched,
  { ordered, config }: { readonly ordered: Order | null; readonly config: PolicyConfig },
): Pick<Attempt, 'account' | 'kind'> | null {
  const decision = decisionAt(snapshot, watched, config);
  if (decision.kind === 'liquidate' || isLiquidationDue(snapshot, watched, config)) {
    return liquidated(snapshot, watched, config);
  }
  const order = decision.kind === 'sell' ? decision : decision.kind === 'none' ? ordered : null;
  if (order === null) return null;
  const account = sold(snapshot, watched, {
    tokens: order.tokenUnits,
    limit: order.limitPricePips,
    liquidationFeeBps: noFee,
  });
  return account === null ? null : { account, kind: order.cause === 'hard_exit' ? 'hard_exit' : 'cover' };
}

export function bookOf(snapshot: MarketSnapshot, { side }: Pick<Entry, 'side'>): OrderBook {
  return sideOf(snapshot, side).book ?? emptyBook;
}

/** Return the lowest price of a liquidation on the route of the policy. */
export function liquidationEdgeOf({ facts }: MarketSnapshot, mark: PricePips, config: PolicyConfig): PricePips {
  const { slipBps } = config.model;
  const sale = { kind: 'liquidate', slipBps, markPricePips: mark, venueFee: facts.venueFee } as const;
  return routes[config.openingRoute].saleBoundsOf(sale, config).lowestPricePips;
}

/** Sell all that the bids take above mark × (1 − slip). */
function liquidated(
  snapshot: MarketSnapshot,
  watched: Watched,
  config: PolicyConfig,
): Pick<Attempt, 'account' | 'kind'> | null {
  const { account } = watched;
  const mark = markOf(snapshot, watched, config);
  if (mark === null) return null;
  const minPricePips = liquidationEdgeOf(snapshot, mark, config);
  const { bids } = bookOf(snapshot, watched.entry);
  const tokens = closableTokensOf(account.tokenUnits, account.tokenUnits, { bids, minPricePips });
  if (isZero(tokens)) return null;
  const { liquidationFeeBps } = config.fees;
  const after = sold(snapshot, watched, { tokens, limit: pricePips(1n), liquidationFeeBps });
  return after === null ? null : { account: after, kind: 'liquidation' };
}

/** Sell a size into the bids of the moment, all or nothing. */
function sold(
  snapshot: MarketSnapshot,
  watched: Watched,
  order: { tokens: TokenUnits; limit: PricePips; liquidationFeeBps: Sale['liquidationFeeBps'] },
): Account | null {
  const { venueFee } = snapshot.facts;
  const { bids } = bookOf(snapshot, watched.entry);
  const walk = walkBids({ bids, tokenUnits: order.tokens, limitPricePips: order.limit });
  if (venueFee === null || raw(walk.restTokenUnits) > 0n) return null;
  const fee = venueFeeOfFills({ fills: walk.fills, schedule: venueFee, rounding: 'up' });
  return withProceeds(watched.account, {
    atMs: snapshot.nowMs,
    soldTokenUnits: walk.tokenUnits,
    netUsdcUnits: subtract(walk.proceedsUsdcUnits, fee),
    liquidationFeeBps: order.liquidationFeeBps,
  });
}
