import { type Rejection, reject } from '@core/errors';
import {
  type AcceptedSize,
  compare,
  hints,
  multiplyDivide,
  rateBps,
  raw,
  subtract,
  toUsdPips,
  usdPips,
} from '@core/pricing';
import { leverageLimitOf } from '../leverage/sideModel.ts';
import { type BorrowLimit, borrowLimitsOf, headroomOf, outcomeHeadroomOf } from '../partner/borrowLimits.ts';
import {
  availableNotionalOf,
  type NotionalLimit,
  notionalLimitsOf,
  usedNotionalOf,
} from '../partner/notionalLimits.ts';
import type { Gate } from './gate.ts';
import { fillFloorRefusalOf, type PartialSize } from './partialOpen.ts';
import type { QuoteContext } from './quoteContext.ts';

/** A side whose maximum leverage at the minimum notional is below 2x is closed for every size. */
function closedSideOf({ model, terms, config, clearableNotionalUsdPips }: QuoteContext): Rejection | null {
  // A book too thin for the minimum has its own codes, which the ladder gives.
  if (model === null || compare(clearableNotionalUsdPips, terms.minNotionalUsdPips) < 0) return null;
  const maximum = leverageLimitOf(model, terms.minNotionalUsdPips);
  return compare(maximum, config.model.minSideLeverageBps) >= 0
    ? null
    : reject('quote_max_leverage_too_low', {
        max_leverage_bps: maximum,
        min_leverage_bps: config.model.minSideLeverageBps,
      });
}

/** The size granted by the ladder; gates after it are not reached otherwise. */
export function grantedSizeOf(context: QuoteContext): AcceptedSize {
  const sizing = context.sizing();
  if (sizing.kind !== 'accepted') throw new Error('no size was granted');
  return sizing;
}

/** The size the ladder grants, or names as acceptable; null when it names none. */
function nameableSizeOf(sizing: ReturnType<QuoteContext['sizing']>): Omit<PartialSize, 'minFillBps'> | null {
  if (sizing.kind === 'accepted') return sizing;
  if (sizing.code !== 'QUOTE_REVISION_REQUIRED') return null;
  const { acceptable_notional_usd_pips: notionalUsdPips, acceptable_leverage_bps: leverageBps } = sizing.params;
  return { notionalUsdPips, leverageBps };
}

/**
 * The ladder's answer, unless a size it made smaller would break the floors of a partial opening. The ladder comes
 * after every gate of the market, so that what it names as acceptable can be asked for again.
 */
function ladderOf(context: QuoteContext): Rejection | null {
  const { request, terms } = context;
  const sizing = context.sizing();
  const named = request.allowPartialFill ? nameableSizeOf(sizing) : null;
  const { minFillBps } = request;
  const floorRefusal = named === null ? null : fillFloorRefusalOf({ ...named, minFillBps }, terms);
  return floorRefusal ?? (sizing.kind === 'accepted' ? null : sizing);
}

/** A promoted draft may not cost more than its own slippage allows. */
function draftEntryOf(context: QuoteContext): Rejection | null {
  const { draftEntryPricePips, slippageBps } = context.request;
  if (draftEntryPricePips === null) return null;
  const { entryPricePips } = grantedSizeOf(context).fill;
  const highest = multiplyDivide(draftEntryPricePips, 10_000n + raw(slippageBps), 10_000n, 'down');
  if (compare(entryPricePips, highest) <= 0) return null;
  const worse = multiplyDivide(subtract(entryPricePips, draftEntryPricePips), 10_000n, raw(draftEntryPricePips), 'up');
  return reject('quote_slippage_too_high', {
    current_slippage_bps: rateBps(raw(worse)),
    max_slippage_bps: slippageBps,
  });
}

// Each cap has a code of its own, because each is lifted by another party: user, market, partner or operator.
function notionalRefusalOf(limit: NotionalLimit): Rejection {
  const params = hints.positionLimitHintOf(limit.limitUsdPips, usedNotionalOf(limit.usage));
  switch (limit.scope) {
    case 'user':
      return reject('quote_user_position_limit_exceeded', params);
    case 'market':
      return reject('quote_market_position_limit_exceeded', params);
    case 'side':
      return reject('quote_side_position_limit_exceeded', params);
    case 'global':
      return reject('quote_global_position_limit_exceeded', params);
    case 'partner':
      return reject(
        'quote_partner_position_limit_exceeded',
        hints.partnerLimitHintOf({
          limitUsdPips: limit.limitUsdPips,
          activeUsdPips: limit.usage.activeNotionalUsdPips,
          inFlightUsdPips: limit.usage.inFlightNotionalUsdPips,
        }),
      );
  }
}

// Caps hold what is open and what is quoted together: two quotes at once may both be accepted on chain.
function positionLimitsOf(context: QuoteContext): Rejection | null {
  const { usage, request, terms } = context;
  if (usage === null) return null;
  const { notionalUsdPips } = grantedSizeOf(context);
  for (const limit of notionalLimitsOf(usage, request.side, terms)) {
    if (compare(notionalUsdPips, availableNotionalOf(limit)) > 0) return notionalRefusalOf(limit);
  }
  return null;
}

function capitalRefusalOf(limit: BorrowLimit, granted: AcceptedSize): Rejection {
  const params = hints.capitalHintOf({
    capUsdcUnits: limit.capUsdcUnits,
    currentBorrowedUsdcUnits: limit.currentUsdcUnits,
    requestedBorrowedUsdcUnits: granted.size.borrowUsdcUnits,
    leverageBps: granted.leverageBps,
  });
  switch (limit.scope) {
    case 'user':
      return reject('quote_user_capital_exceeded', params);
    case 'market':
      return reject('quote_market_capital_exceeded', params);
    case 'side':
      return reject('quote_side_capital_exceeded', params);
    case 'total':
      return reject('quote_total_capital_exceeded', params);
  }
}

// What may be borrowed is checked on the granted size: the ladder may have lowered it below what was asked.
function capitalLimitsOf(context: QuoteContext): Rejection | null {
  const { usage, snapshot, request, terms, config } = context;
  if (usage === null) return null;
  const limits = borrowLimitsOf(usage, { facts: snapshot.facts, side: request.side }, { terms, config });
  // Without a view of the pool nothing can be promised.
  if (limits === null) return reject('quote_market_not_ready');
  const granted = grantedSizeOf(context);
  for (const limit of limits) {
    if (compare(granted.size.borrowUsdcUnits, headroomOf(limit)) > 0) return capitalRefusalOf(limit, granted);
  }
  return null;
}

// The pool caps each outcome itself and would refuse the loan on chain; better to say so before the user pays gas.
function sideCapacityOf(context: QuoteContext): Rejection | null {
  const { usage, request, terms } = context;
  const headroom = usage === null ? null : outcomeHeadroomOf(usage, request.side);
  if (headroom === null) return null;
  const granted = grantedSizeOf(context);
  if (compare(granted.size.borrowUsdcUnits, headroom) <= 0) return null;
  const size = hints.largestSizeOf(headroom, granted.leverageBps);
  return reject(
    'quote_side_capacity_exceeded',
    hints.sideCapacityHintOf({
      availableUsdPips: size === null ? usdPips(0n) : toUsdPips(size.notionalUsdcUnits, 'down'),
      leverageBps: granted.leverageBps,
      minNotionalUsdPips: terms.minNotionalUsdPips,
    }),
  );
}

export const sideLeverageGate: Gate = {
  name: 'side_leverage',
  needs: 'market',
  codes: ['quote_max_leverage_too_low'],
  check: closedSideOf,
};

export const sizeGates: readonly Gate[] = [
  {
    name: 'revision_ladder',
    needs: 'size',
    codes: [
      'notional_selector_empty_order_book',
      'notional_selector_below_min_notional',
      'notional_selector_pregame_insufficient_liquidity',
      'notional_selector_insufficient_liquidity',
      'quote_slippage_too_high',
      'quote_leverage_too_high_for_price',
      'quote_leverage_exceeds_maximum',
      'quote_leverage_exceeds_model_max',
      'quote_max_leverage_too_low',
      'quote_leverage_exceeds_collateral_floor',
      'quote_liquidation_not_viable',
      'QUOTE_REVISION_REQUIRED',
      'LIQUIDITY_INSUFFICIENT',
      'quote_min_fill_bps_below_floor',
    ],
    check: ladderOf,
  },
  { name: 'draft_entry', needs: 'size', codes: ['quote_slippage_too_high'], check: draftEntryOf },
];

export const limitGates: readonly Gate[] = [
  {
    name: 'position_limits',
    needs: 'usage',
    codes: [
      'quote_user_position_limit_exceeded',
      'quote_market_position_limit_exceeded',
      'quote_side_position_limit_exceeded',
      'quote_global_position_limit_exceeded',
      'quote_partner_position_limit_exceeded',
    ],
    check: positionLimitsOf,
  },
  {
    name: 'capital_limits',
    needs: 'usage',
    codes: [
      'quote_market_not_ready',
      'quote_user_capital_exceeded',
      'quote_market_capital_exceeded',
      'quote_side_capital_exceeded',
      'quote_total_capital_exceeded',
    ],
    check: capitalLimitsOf,
  },
  { name: 'side_capacity', needs: 'usage', codes: ['quote_side_capacity_exceeded'], check: sideCapacityOf },
];
