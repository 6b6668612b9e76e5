import { type MarketSnapshot, sideOf } from '@core/market';
import { decideGrant, type PolicyConfig, routes } from '@core/policy';
import {
  add,
  constants,
  expectedFillOf,
  min,
  minimumFirstFillOf,
  multiplyDivide,
  pricePips,
  rateBps,
  raw,
  subtract,
  type TokenUnits,
  tokenUnits,
  type UsdcUnits,
  usdcUnits,
  venueFeeOfFills,
} from '@core/pricing';
import type { ObservedMarket } from '../market/observedMarket.ts';
import { courseAround } from './course.ts';
import type { Entry, MaximumQuote } from './entry.ts';
import { fillsOf, type LiveGrant, nextGrantAtMsOf } from './grant.ts';

const { defaultSlippageBps: slippageBps } = constants;
const wholeBps = rateBps(10_000n);

/** Tokens of an opening with the USDC paid for them, fee included. */
interface Bought {
  readonly atMs: number;
  readonly tokenUnits: TokenUnits;
  readonly usdcUnits: UsdcUnits;
  readonly grantCount: number;
}

/** Return the position that a quote becomes on the route of the policy; null when its opening is refunded. */
export function entryOf(observed: ObservedMarket, quote: MaximumQuote, config: PolicyConfig): Entry | null {
  const { hasFillers } = routes[config.openingRoute];
  const bought = hasFillers ? boughtByGrants(observed, quote, config) : boughtByOrder(observed, quote);
  if (bought === null) return null;
  const { figures } = quote;
  const { borrowUsdcUnits } = figures;
  // All of the notional is traded: what is paid above it is the fee.
  const notionalUsdcUnits = min(figures.notionalUsdcUnits, bought.usdcUnits);
  return {
    side: quote.side,
    rowIndex: quote.rowIndex,
    phase: quote.phase,
    leftSeconds: quote.leftSeconds,
    atMs: bought.atMs,
    grantCount: bought.grantCount,
    leverageBps: figures.leverageBps,
    entryPricePips: pricePips(raw(multiplyDivide(notionalUsdcUnits, 10_000n, raw(bought.tokenUnits), 'up'))),
    tokenUnits: bought.tokenUnits,
    collateralUsdcUnits: figures.collateralUsdcUnits,
    borrowUsdcUnits,
    notionalUsdcUnits,
    originationUsdcUnits: figures.originationFeeUsdcUnits,
    venueFeeUsdcUnits: subtract(bought.usdcUnits, notionalUsdcUnits),
    paidUsdcUnits: add(subtract(bought.usdcUnits, borrowUsdcUnits), figures.originationFeeUsdcUnits),
  };
}

/** Buy at the asks of the row. */
function boughtByOrder(observed: ObservedMarket, { side, rowIndex, figures }: MaximumQuote): Bought | null {
  const snapshot = observed.rows[rowIndex]?.snapshot;
  const schedule = snapshot?.facts.venueFee ?? null;
  if (snapshot === undefined || schedule === null) return null;
  const asks = sideOf(snapshot, side).book?.asks ?? [];
  const { notionalUsdcUnits, positionTokenUnits } = figures;
  const { fills } = expectedFillOf({ asks, notionalUsdcUnits, slippageBps, isPartialOpen: false });
  const paid = add(notionalUsdcUnits, venueFeeOfFills({ fills, schedule, rounding: 'up' }));
  return { atMs: snapshot.nowMs, tokenUnits: positionTokenUnits, usdcUnits: paid, grantCount: 0 };
}

/** Buy by grants, one after the other, as many as the keeper makes. Null when all of them end unfilled. */
function boughtByGrants(observed: ObservedMarket, quote: MaximumQuote, config: PolicyConfig): Bought | null {
  const course = courseAround(observed, quote.rowIndex);
  let startsAtMs = observed.rows[quote.rowIndex]?.row.atMs ?? 0;
  for (let grantCount = 1; grantCount <= config.grant.maxOpenAttempts; grantCount += 1) {
    const live = openingGrantOf(course(startsAtMs), quote, config);
    if (live === null) return null;
    const [fill] = fillsOf(live, course);
    if (fill !== undefined) return { ...fill, grantCount };
    startsAtMs = nextGrantAtMsOf(live);
  }
  return null;
}

/** Return the grant that price signers sign for a quote at a moment; null when they refuse. */
function openingGrantOf(
  snapshot: MarketSnapshot,
  { side, figures }: MaximumQuote,
  config: PolicyConfig,
): LiveGrant | null {
  const { notionalUsdcUnits, collateralUsdcUnits } = figures;
  const collateralShareBps = rateBps((raw(collateralUsdcUnits) * 10_000n) / raw(notionalUsdcUnits));
  const mostUnits = raw(notionalUsdcUnits);
  const terms = decideGrant(
    snapshot,
    { purpose: 'open', side, position: null, earlierMid: null, mostUnits, collateralShareBps },
    config,
  );
  if (terms.kind === 'refused') return null;
  const { markPricePips, limitPricePips, venueFeeBps, validForSeconds } = terms;
  return {
    side,
    markPricePips,
    startsAtMs: snapshot.nowMs,
    lastSecond: Math.min(validForSeconds, Math.floor(terms.notAfterSeconds - snapshot.nowMs / 1_000)),
    grant: {
      side: 'purchase',
      startPricePips: min(markPricePips, limitPricePips),
      limitPricePips,
      venueFeeBps,
      validForSeconds,
      maximumUsdcUnits: notionalUsdcUnits,
      filledUsdcUnits: usdcUnits(0n),
      minimumFirstUsdcUnits: minimumFirstFillOf(notionalUsdcUnits, wholeBps),
      notionalUsdcUnits,
      minimumTokenUnits: tokenUnits(raw(figures.minExpectedPositionTokenUnits)),
    },
  };
}
