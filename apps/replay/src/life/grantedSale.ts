import type { MarketSnapshot } from '@core/market';
import { decideGrant, type GrantRequest, type PolicyConfig } from '@core/policy';
import { closableTokensOf, decideGrantOrder, grantSizesOf, type OrderAction } from '@core/position';
import { add, isZero, max, pricePips, rateBps, raw, type TokenUnits, tokenUnits } from '@core/pricing';
import {
  type Attempt,
  bookOf,
  decisionAt,
  type ExitKind,
  isLiquidationDue,
  liquidationEdgeOf,
  markOf,
  owingPositionOf,
  type Watched,
} from './attempt.ts';
import type { Course } from './course.ts';
import { blockSeconds, fillsOf, type LiveGrant, nextGrantAtMsOf } from './grant.ts';
import { debtAt, owes, withProceeds } from './money.ts';

/** Grants of one trigger before the next row: the first, and one after it that ended unfilled. */
const maximumGrants = 2;
const noPrice = pricePips(0n);
const noFee = rateBps(0n);

type SaleOrder = Extract<OrderAction, { readonly purpose: 'unwind' | 'liquidate' }>;

interface SaleGrant extends LiveGrant {
  readonly kind: ExitKind;
}

/** Times of an attempt: its first grant, and the end of what is tried before the next row. */
export interface AttemptTimes {
  readonly startsAtMs: number;
  readonly untilMs: number;
}

/**
 * Sell by grants what the shipped decisions order from a moment on. The policy is asked at every block until it orders
 * a sale; a grant without a whole fill is followed by a second one.
 */
export function attemptByGrants(
  course: Course,
  watched: Watched,
  { times, config }: { readonly times: AttemptTimes; readonly config: PolicyConfig },
): Attempt {
  let attempt: Attempt = {
    account: watched.account,
    kind: null,
    grantCount: 0,
    filledGrantCount: 0,
    atMs: times.startsAtMs,
  };
  let startsAtMs = times.startsAtMs;
  while (startsAtMs <= times.untilMs || attempt.grantCount > 0) {
    const snapshot = course(startsAtMs);
    const live = saleGrantOf(snapshot, { ...watched, account: attempt.account }, config);
    startsAtMs = live === null ? startsAtMs + blockSeconds * 1_000 : nextGrantAtMsOf(live);
    if (live !== null) attempt = withGrant(attempt, live, { course, config });
    const isOver = attempt.grantCount === maximumGrants || !owes(attempt.account);
    if (isOver || (live === null && attempt.grantCount > 0)) break;
  }
  // Without a grant the row at the end is read again.
  return { ...attempt, atMs: attempt.grantCount === 0 ? Math.min(startsAtMs, times.untilMs) : startsAtMs };
}

/** Return an attempt after one more grant, with what its fills paid. */
function withGrant(
  attempt: Attempt,
  live: SaleGrant,
  { course, config }: { readonly course: Course; readonly config: PolicyConfig },
): Attempt {
  const { liquidationFeeBps: fee } = config.fees;
  const liquidationFeeBps = live.kind === 'liquidation' ? fee : noFee;
  const fills = fillsOf(live, course);
  let { account } = attempt;
  for (const { atMs, tokenUnits: soldTokenUnits, usdcUnits: netUsdcUnits } of fills) {
    account = withProceeds(account, { atMs, soldTokenUnits, netUsdcUnits, liquidationFeeBps });
  }
  return {
    ...attempt,
    account,
    kind: fills.length > 0 ? live.kind : attempt.kind,
    grantCount: attempt.grantCount + 1,
    filledGrantCount: attempt.filledGrantCount + (fills.length > 0 ? 1 : 0),
  };
}

/** Return the grant of the sale that is due at a moment, as keeper and price signers make it; null without one. */
function saleGrantOf(snapshot: MarketSnapshot, watched: Watched, config: PolicyConfig): SaleGrant | null {
  const { entry, account } = watched;
  const owing = owingPositionOf(snapshot, watched, config);
  const mark = markOf(snapshot, watched, config);
  const order = orderOf(snapshot, watched, config);
  if (order === null || mark === null) return null;
  const [mostUnits = 0n] = grantSizesOf(order);
  const request: GrantRequest = {
    purpose: order.purpose,
    side: entry.side,
    mostUnits,
    collateralShareBps: null,
    position: { ...owing, closeMinPricePips: noPrice, plannedTriggerPricePips: null },
    // The price of the row was there two seconds ago: nothing inside a row is on record.
    earlierMid: { pricePips: mark, ageMs: config.attestation.confirmationSpanMs },
  };
  const terms = decideGrant(snapshot, request, config);
  if (terms.kind === 'refused') return null;
  const { limitPricePips, venueFeeBps, markPricePips, validForSeconds } = terms;
  const decided = decideGrantOrder(order, { kind: 'given', mostUnits, limitPricePips, venueFeeBps: raw(venueFeeBps) });
  if (decided.kind !== 'send') return null;
  return {
    kind: order.purpose === 'liquidate' ? 'liquidation' : order.isHardExit ? 'hard_exit' : 'cover',
    side: entry.side,
    markPricePips,
    startsAtMs: snapshot.nowMs,
    lastSecond: Math.min(validForSeconds, Math.floor(terms.notAfterSeconds - snapshot.nowMs / 1_000)),
    grant: {
      side: 'sale',
      startPricePips: max(markPricePips, limitPricePips),
      limitPricePips,
      venueFeeBps,
      validForSeconds,
      maximumTokenUnits: tokenUnits(decided.mostUnits),
      filledTokenUnits: tokenUnits(0n),
      heldTokenUnits: account.tokenUnits,
    },
  };
}

/** Return the sale that the keeper asks consent for: a liquidation where the mark allows one, else the unwind. */
function orderOf(snapshot: MarketSnapshot, watched: Watched, config: PolicyConfig): SaleOrder | null {
  const { account } = watched;
  const { tickPricePips } = snapshot.facts;
  const decision = decisionAt(snapshot, watched, config);
  const shared = { kind: 'order', attempt: 1, retryAtMs: null } as const;
  const boundsOf = (size: TokenUnits) => ({
    tokenUnits: size,
    heldTokenUnits: account.tokenUnits,
    minPricePips: noPrice,
    tickPricePips,
  });
  if (decision.kind === 'liquidate' || isLiquidationDue(snapshot, watched, config)) {
    const size = liquidatedTokensOf(snapshot, watched, config);
    if (isZero(size)) return null;
    return { ...shared, purpose: 'liquidate', orderType: 'FAK', tokenUnits: size, bounds: boundsOf(size) };
  }
  if (decision.kind !== 'sell') return null;
  const { tokenUnits: size, cause, rung, isBelowDebt } = decision;
  const bounds = { ...boundsOf(size), debtUsdcUnits: debtAt(account, snapshot.nowMs) };
  const why = { reason: 'unknown', rung, isBelowDebt, isHardExit: cause === 'hard_exit' } as const;
  return { ...shared, ...why, purpose: 'unwind', orderType: 'FOK', tokenUnits: size, bounds };
}

/** Return the tokens that the bids take a tick inside the band of a liquidation. */
function liquidatedTokensOf(snapshot: MarketSnapshot, watched: Watched, config: PolicyConfig): TokenUnits {
  const { tokenUnits: size } = watched.account;
  const mark = markOf(snapshot, watched, config);
  if (mark === null) return tokenUnits(0n);
  const minPricePips = add(liquidationEdgeOf(snapshot, mark, config), snapshot.facts.tickPricePips);
  const { bids } = bookOf(snapshot, watched.entry);
  return closableTokensOf(size, size, { bids, minPricePips });
}
