import {
  compare,
  isDust,
  max,
  min,
  multiplyDivide,
  type PricePips,
  raw,
  subtract,
  type TokenUnits,
} from '@core/pricing';
import { isCloseCovered, repayingTokensOf } from '../orders/saleOrder.ts';
import { belowDebtOf, isWholeBelowDebt, type OrderDecision, type RefusedConsent, refusalOf } from './decideOrder.ts';
import type { OrderAction } from './positionAction.ts';

/** Answer of the price signers to the size of a grant. */
export type GrantConsent =
  | {
      readonly kind: 'given';
      /** Size of the request: USDC units of an opening, token units of a sale. */
      readonly mostUnits: bigint;
      readonly limitPricePips: PricePips;
      /** Fee part at the end of the price path, a share of the money traded. */
      readonly venueFeeBps: bigint;
    }
  | RefusedConsent;

export type GrantDecision =
  /** Size of the grant: USDC units of an opening, fee apart; token units of a sale. */
  { readonly kind: 'send'; readonly mostUnits: bigint } | Exclude<OrderDecision, { readonly kind: 'send' }>;

const wholeBps = 10_000n;
/** Share of what is due that a grant has at least: the vault wants 99 % of an atomic opening. */
const minimumShareBps = 9_900n;

/**
 * Return the sizes for which a decided action requests consent, each where the book is too thin for the one before. Of
 * an opening it is all that is open: fillers choose their part of it, and the vault keeps the floor. Then the floor.
 */
export function grantSizesOf(action: OrderAction): readonly bigint[] {
  if (action.purpose !== 'open') return [raw(saleSizeOf(action, action.tokenUnits))];
  const { dueUsdcUnits, openUsdcUnits } = action.bounds;
  return compare(dueUsdcUnits, openUsdcUnits) < 0 ? [raw(openUsdcUnits), raw(dueUsdcUnits)] : [raw(openUsdcUnits)];
}

/** Return the smallest size of an opening: a floor that is not reached yet, or nearly all that is open. */
function smallestOpeningOf({ dueUsdcUnits, openUsdcUnits }: OpeningBoundsOfAction): bigint {
  const isFloor = compare(dueUsdcUnits, openUsdcUnits) < 0;
  return raw(isFloor ? dueUsdcUnits : multiplyDivide(openUsdcUnits, minimumShareBps, wholeBps, 'up'));
}

type OpeningBoundsOfAction = Extract<OrderAction, { readonly purpose: 'open' }>['bounds'];

/** Return the size of a sale: without the venue's steps, one of everything leaves no dust in the account. */
function saleSizeOf(
  action: Exclude<OrderAction, { readonly purpose: 'open' }>,
  soldTokenUnits: TokenUnits,
): TokenUnits {
  const { heldTokenUnits } = action.bounds;
  if (!isDust(subtract(heldTokenUnits, soldTokenUnits))) return soldTokenUnits;
  const maximum = action.purpose === 'close' ? min(heldTokenUnits, action.serves.requestedTokenUnits) : heldTokenUnits;
  return max(soldTokenUnits, maximum);
}

/**
 * Return the grant of a decided action under the signers' consent, or the consequence of a refusal, as for an order.
 * The user's own bounds are the vault's to apply: they tighten the limit. An opening is as large as the rest of the
 * user's budget for fees allows, and an unwind sells no more than its debt needs.
 */
export function decideGrantOrder(action: OrderAction, consent: GrantConsent): GrantDecision {
  if (consent.kind === 'refused') return refusalOf(action, consent);
  const { limitPricePips, venueFeeBps, mostUnits } = consent;
  if (action.purpose === 'open') {
    const covered =
      venueFeeBps === 0n
        ? mostUnits
        : raw(multiplyDivide(action.bounds.venueFeeLeftUsdcUnits, wholeBps, venueFeeBps, 'down'));
    const size = mostUnits < covered ? mostUnits : covered;
    const isEnough = size >= smallestOpeningOf(action.bounds);
    return isEnough ? { kind: 'send', mostUnits: size } : { kind: 'miss', reason: 'venue_fee_too_small' };
  }
  if (action.purpose === 'liquidate') return { kind: 'send', mostUnits };
  const bounds = { ...action.bounds, limitPricePips, venueFeeBps };
  const planned = action.purpose === 'unwind' ? repayingTokensOf(bounds) : bounds.tokenUnits;
  const soldTokenUnits = saleSizeOf(action, planned);
  const isAllowed = isCloseCovered({ ...bounds, soldTokenUnits }) || isWholeBelowDebt(action, soldTokenUnits);
  return isAllowed ? { kind: 'send', mostUnits: raw(soldTokenUnits) } : belowDebtOf(action);
}
