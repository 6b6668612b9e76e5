import { type MarketSnapshot, sideOf } from '@core/market';
import { decideUnwind, minimumSaleLimitOf, type PolicyConfig, type UnwindDecision } from '@core/policy';
import { closableTokensOf } from '@core/position';
import {
  bestBidOf,
  isLiquidatable,
  isZero,
  liquidationPriceOf,
  type PricePips,
  pricePips,
  rateBps,
  raw,
  type TokenUnits,
  walkBids,
} from '@core/pricing';
import type { Entry } from './entry.ts';
import { type Account, debtAt, dueFeeOf, type Sale, withSale } from './money.ts';

/** Kind of sale that repaid debt. */
export type ExitKind = 'cover' | 'hard_exit' | 'liquidation';

export interface Watched {
  readonly entry: Entry;
  readonly account: Account;
  readonly isHardExitInForce: boolean;
}

/** Result of an attempt to sell. */
export interface Attempt {
  readonly account: Account;
  readonly kind: ExitKind;
}

export type Order = Extract<UnwindDecision, { kind: 'sell' }>;

const noFee = rateBps(0n);
/** Maximum fee rate of the deployed exchange, with which the vault reckons the cover of a sale. */
const venueMaxFeeBps = rateBps(500n);

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

/** Return the shipped decision about the debt of a position at a moment. */
export function decisionAt(snapshot: MarketSnapshot, watched: Watched, config: PolicyConfig): UnwindDecision {
  const { entry, account, isHardExitInForce } = watched;
  return decideUnwind(
    snapshot,
    {
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
    },
    config,
  );
}

/**
 * Sell what the shipped decisions order at a moment: a liquidation where the mark allows one, else the unwind. An order
 * from the trigger, already at the venue, also fills while the bids still take it. Null when nothing can be sold.
 */
export function attemptAt(
  snapshot: MarketSnapshot,
  watched: Watched,
  {
    mark,
    ordered,
    config,
  }: { readonly mark: PricePips; readonly ordered: Order | null; readonly config: PolicyConfig },
): Attempt | null {
  const decision = decisionAt(snapshot, watched, config);
  const limit = liquidationPriceAt(watched.account, snapshot.nowMs, config);
  const isReached = bestBidOf(bookOf(snapshot, watched)) !== null && isLiquidatable(mark, limit);
  if (decision.kind === 'liquidate' || isReached) return liquidated(snapshot, watched, { mark, config });
  const order = decision.kind === 'sell' ? decision : decision.kind === 'none' ? ordered : null;
  if (order === null) return null;
  const account = sold(snapshot, watched, {
    tokens: order.tokenUnits,
    limit: order.limitPricePips,
    liquidationFeeBps: noFee,
  });
  return account === null ? null : { account, kind: order.cause === 'hard_exit' ? 'hard_exit' : 'cover' };
}

function bookOf(snapshot: MarketSnapshot, { entry }: Watched) {
  return sideOf(snapshot, entry.side).book ?? { bids: [], asks: [] };
}

/** Sell all that the bids take above mark × (1 − slip). */
function liquidated(
  snapshot: MarketSnapshot,
  watched: Watched,
  { mark, config }: { readonly mark: PricePips; readonly config: PolicyConfig },
): Attempt | null {
  const { account } = watched;
  const minPricePips = minimumSaleLimitOf(mark, config.model.slipBps);
  const { bids } = bookOf(snapshot, watched);
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
  const { bids } = bookOf(snapshot, watched);
  const walk = walkBids({ bids, tokenUnits: order.tokens, limitPricePips: order.limit });
  if (venueFee === null || raw(walk.restTokenUnits) > 0n) return null;
  return withSale(watched.account, {
    atMs: snapshot.nowMs,
    fills: walk.fills,
    soldTokenUnits: walk.tokenUnits,
    proceedsUsdcUnits: walk.proceedsUsdcUnits,
    venueFee,
    liquidationFeeBps: order.liquidationFeeBps,
  });
}
