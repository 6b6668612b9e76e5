import type { OpenPosition, Position } from '@core/sdk';
import { isPriceStale, livePricesOf } from './livePrices.ts';
import { positionAt } from './positionAt.ts';
import { serviceNowMs } from './serviceClock.ts';

/** Position with current figures. */
export interface LivePosition<Kind extends Position = Position> {
  readonly position: Kind;
  /** True when its price may have moved since: the connection is lost, or the market has no recent price. */
  readonly isStale: boolean;
}

export const isOpen = (position: Position): position is OpenPosition => 'current' in position;

/**
 * Return a position valued at the last streamed price. A closed one is unchanged, and so is one that cannot be valued,
 * as with a field that this version does not know.
 */
export function livePositionOf<Kind extends Position>(position: Kind, isDisconnected: boolean): LivePosition<Kind> {
  try {
    return liveOf(position, isDisconnected);
  } catch {
    return { position, isStale: true };
  }
}

function liveOf<Kind extends Position>(position: Kind, isDisconnected: boolean): LivePosition<Kind> {
  if (!isOpen(position)) return { position, isStale: false };
  const { market_ticker: ticker, effective_side: side, timing, current } = position;
  const live = livePricesOf(ticker);
  // A market that awaits its result no longer trades: its mark is final.
  const isTrading = timing.settlement_state === 'none' || timing.settlement_state === 'awaiting_settlement';
  // The answer that says that a market is determined has its outcome. The last streamed price may be older.
  const mark = isDetermined(position) ? current.mark_price_usd_pips : live?.[`${side}_mark_price_usd_pips`];
  const bid = live?.prices?.[`${side}_bid_price_usd_pips`] ?? null;
  const isOld = isDisconnected || isPriceStale(ticker, Date.now());
  const hasNoPrice = live !== null && (bid === null || mark === null);
  const isStale = isTrading && (isOld || hasNoPrice);
  if (mark === undefined || mark === null) return { position, isStale };
  const moment = { markPricePips: BigInt(mark), nowMs: serviceNowMs() };
  return { position: positionAt(position, moment) as Kind, isStale };
}

function isDetermined({ timing: { market_status: status } }: OpenPosition): boolean {
  return status === 'determined' || status === 'finalized';
}
