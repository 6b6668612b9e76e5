import { compare, isZero, raw } from '@core/pricing';
import type { ChainPosition } from '@core/vault';
import type { PostIntent } from '../transactions/venueOrders.ts';

type Holding = Pick<ChainPosition, 'liveOrder' | 'accountTokenUnits' | 'bookedTokenUnits'>;

/**
 * Return true when the chain proves the end of a live order, so that the venue need not be read. The exchange fills it
 * no further, and its tokens have moved: a status without tokens is a reverted match. A FOK purchase has also ended
 * once all its tokens are in the account, because at a better price than its limit some of its USDC remains.
 */
export function isOverOnChain(chain: Holding, posted: Pick<PostIntent, 'plan'> | null): boolean {
  const { liveOrder, accountTokenUnits, bookedTokenUnits } = chain;
  if (liveOrder === null) return false;
  if (liveOrder.purpose !== 'open') return liveOrder.isOver && compare(accountTokenUnits, bookedTokenUnits) < 0;
  if (liveOrder.isOver) return !isZero(accountTokenUnits);
  return posted?.plan.orderType === 'FOK' && raw(accountTokenUnits) >= posted.plan.order.takerAmount;
}
