import {
  isDust,
  max,
  min,
  multiplyDivide,
  type PricePips,
  raw,
  subtract,
  type TokenUnits,
  type UsdcUnits,
} from '@core/pricing';
import { isCloseCovered, repayingTokensOf } from '../orders/saleOrder.ts';
import { belowDebtOf, isWholeBelowDebt, type OrderDecision, type RefusedConsent, refusalOf } from './decideOrder.ts';
import type { OrderAction } from './positionAction.ts';

/** Answer of the price signers to the size of a grant. */
export type GrantConsent =
  | {
      readonly kind: 'given';
      readonly limitPricePips: PricePips;
      /** Fee part at the end of the price path, a share of the money traded. */
      readonly venueFeeBps: bigint;
    }
  | RefusedConsent;

export type GrantDecision =
  /** Size of the grant: USDC units of an opening, fee apart; token units of a sale. */
  { readonly kind: 'send'; readonly mostUnits: bigint } | Exclude<OrderDecision, { readonly kind: 'send' }>;

/** A grant is never smaller than this share of what is due: the vault wants 99 % of an atomic opening. */
const minimumShareBps = 9_900n;
const wholeBps = 10_000n;

/** Return the size for which a decided action requests consent. */
export function grantSizeOf(action: OrderAction): bigint {
  return raw(action.purpose === 'open' ? openingSizeOf(action) : saleSizeOf(action, action.tokenUnits));
}

/** Return the size of an opening: all that is open. Fillers choose their part of it, and the vault keeps the floor. */
function openingSizeOf({ bounds, isBookThin }: Extract<OrderAction, { readonly purpose: 'open' }>): UsdcUnits {
  return isBookThin ? min(bounds.dueUsdcUnits, bounds.openUsdcUnits) : bounds.openUsdcUnits;
}

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
  const { limitPricePips, venueFeeBps } = consent;
  if (action.purpose === 'open') {
    const due = openingSizeOf(action);
    const covered =
      venueFeeBps === 0n ? due : multiplyDivide(action.bounds.venueFeeLeftUsdcUnits, wholeBps, venueFeeBps, 'down');
    const size = min(due, covered);
    const isEnough = raw(size) * wholeBps >= raw(due) * minimumShareBps;
    return isEnough ? { kind: 'send', mostUnits: raw(size) } : { kind: 'miss', reason: 'venue_fee_too_small' };
  }
  if (action.purpose === 'liquidate') return { kind: 'send', mostUnits: grantSizeOf(action) };
  const bounds = { ...action.bounds, limitPricePips, venueFeeBps };
  const planned = action.purpose === 'unwind' ? repayingTokensOf(bounds) : bounds.tokenUnits;
  const soldTokenUnits = saleSizeOf(action, planned);
  const isAllowed = isCloseCovered({ ...bounds, soldTokenUnits }) || isWholeBelowDebt(action, soldTokenUnits);
  return isAllowed ? { kind: 'send', mostUnits: raw(soldTokenUnits) } : belowDebtOf(action);
}
