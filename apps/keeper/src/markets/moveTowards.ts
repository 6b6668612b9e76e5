import type { MarketStatus } from '@core/market';
import type { Clock } from '@core/runtime';
import type { DueMarket, MarketStore } from '@core/store';
import type { Logger } from 'pino';

export interface MarketMoves {
  readonly markets: Pick<MarketStore, 'moveStatus'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Intermediate statuses: a market that closed and was determined between two reads passes both. */
const intermediateStatuses: Readonly<Record<MarketStatus, readonly MarketStatus[]>> = {
  active: [],
  closed: ['closed'],
  determined: ['closed', 'determined'],
  disputed: ['closed', 'disputed'],
  finalized: ['closed', 'determined', 'finalized'],
};

/** Move a market towards a status as far as legal moves allow. Never back to active, and never out of finalized. */
export async function moveTowards(
  { markets, clock, logger }: MarketMoves,
  market: Pick<DueMarket, 'id' | 'ticker' | 'status'>,
  status: MarketStatus,
): Promise<void> {
  if (market.status === status || market.status === 'finalized' || status === 'active') {
    return;
  }
  const steps = intermediateStatuses[status];
  const start = steps.indexOf(market.status) + 1;
  for (const next of steps.slice(start)) {
    const move = await markets.moveStatus(market.id, next, clock.nowMs());
    if (move === 'illegal') {
      logger.warn({ ticker: market.ticker, from: market.status, to: next }, 'illegal market move ignored');
      return;
    }
  }
}
