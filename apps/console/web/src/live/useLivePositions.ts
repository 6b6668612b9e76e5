import type { OpenPosition, Position } from '@core/sdk';
import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { useChecked } from '../useChecked.ts';
import { useFollowedPrices } from './followedTickers.ts';
import { isPriceStale, livePricesOf, livePricesVersion, subscribeToLivePrices } from './livePrices.ts';
import { positionAt } from './positionAt.ts';
import { serviceNowMs } from './serviceClock.ts';
import { linkState } from './watchedSocket.ts';

/** Position with current figures. */
export interface LivePosition<Kind extends Position = Position> {
  readonly position: Kind;
  /** True when its price may have moved since: the connection is lost, or the market has no recent price. */
  readonly isStale: boolean;
}

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
    () => positions.map((position) => liveOrLast(position, isDisconnected)),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the version names the content of the prices.
    [positions, version, isDisconnected, hasStale],
  );
}

/** Return one position valued at the last streamed prices. */
export function useLivePosition<Kind extends Position>(position: Kind): LivePosition<Kind> {
  const alone = useMemo(() => [position], [position]);
  return useLivePositions(alone)[0] ?? { position, isStale: false };
}

const isOpen = (position: Position): position is OpenPosition => 'current' in position;

/** Return a position as last read where it cannot be valued, as with a field that this version does not know. */
function liveOrLast<Kind extends Position>(position: Kind, isDisconnected: boolean): LivePosition<Kind> {
  try {
    return liveOf(position, isDisconnected);
  } catch {
    return { position, isStale: true };
  }
}

function liveOf<Kind extends Position>(position: Kind, isDisconnected: boolean): LivePosition<Kind> {
  if (!isOpen(position)) return { position, isStale: false };
  const { market_ticker: ticker } = position;
  const live = livePricesOf(ticker);
  // A market that awaits its result no longer trades: its mark is final.
  const isTrading = position.timing.settlement_state === 'none';
  const mark = live?.[`${position.effective_side}_mark_price_usd_pips`] ?? null;
  const isOld = isDisconnected || isPriceStale(ticker, Date.now());
  if (live === null || mark === null) return { position, isStale: isTrading && (isOld || live !== null) };
  const moment = { markPricePips: BigInt(mark), nowMs: serviceNowMs() };
  const bid = live.prices?.[`${position.effective_side}_bid_price_usd_pips`] ?? null;
  return { position: positionAt(position, moment) as Kind, isStale: isTrading && (isOld || bid === null) };
}
