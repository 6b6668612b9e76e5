import type { Position } from '@core/sdk';
import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { useChecked } from '../useChecked.ts';
import { useFollowedPrices } from './followedTickers.ts';
import { isOpen, type LivePosition, livePositionOf } from './livePosition.ts';
import { isPriceStale, livePricesVersion, subscribeToLivePrices } from './livePrices.ts';
import { linkState } from './watchedSocket.ts';

/** Warning beside stale figures. */
export const stalePriceText = 'No recent price: these figures may be stale.';

/** Return the positions valued at the last streamed prices. Closed positions are unchanged. */
export function useLivePositions<Kind extends Position>(positions: readonly Kind[]): readonly LivePosition<Kind>[] {
  useFollowedPrices(positions.filter(isOpen).map(({ market_ticker: ticker }) => ticker));
  const version = useSyncExternalStore(subscribeToLivePrices, livePricesVersion);
  const { isDisconnected } = useSyncExternalStore(linkState.subscribe, linkState.get);
  const isAnyStale = useCallback(
    () => positions.some((position) => isOpen(position) && isPriceStale(position.market_ticker, Date.now())),
    [positions],
  );
  const hasStale = useChecked(positions.some(isOpen), isAnyStale);
  return useMemo(
    () => positions.map((position) => livePositionOf(position, isDisconnected)),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the version names the content of the prices.
    [positions, version, isDisconnected, hasStale],
  );
}

/** Return one position valued at the last streamed prices. */
export function useLivePosition<Kind extends Position>(position: Kind): LivePosition<Kind> {
  const alone = useMemo(() => [position], [position]);
  return useLivePositions(alone)[0] ?? { position, isStale: false };
}
