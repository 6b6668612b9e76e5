import { raw, toUsdPips, usdcUnits, usdPips } from '@core/pricing';
import { activeStatuses, type MarketRecord, type PositionRecord, type PositionUsage } from '@core/store';
import { quotedBorrowOf } from './createdPosition.ts';

/**
 * What a position counts against the caps now: entry notional while it is active (as quoted while pending), the borrow
 * the pool still has to lend, and the principal it has lent.
 */
export function positionUsageOf(position: PositionRecord, market: MarketRecord | null): PositionUsage {
  const isActive = activeStatuses.includes(position.status);
  const isLent = position.livePurpose !== null || raw(position.principalUsdcUnits) > 0n;
  const notional = position.spentUsdcUnits ?? position.quotedNotionalUsdcUnits;
  const isPending = position.chainState === 'pending';
  return {
    positionKey: position.positionKey,
    scope: {
      partnerId: position.partnerId,
      walletAddress: position.walletAddress,
      marketId: position.marketId,
      side: position.side,
      clusterKey: market?.clusterKey ?? null,
    },
    activeNotionalUsdPips: isActive ? toUsdPips(notional, 'down') : usdPips(0n),
    pendingBorrowUsdcUnits: isPending && !isLent ? quotedBorrowOf(position) : usdcUnits(0n),
    lentBorrowUsdcUnits: isActive ? position.principalUsdcUnits : usdcUnits(0n),
  };
}
