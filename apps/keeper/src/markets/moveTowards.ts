import type { MarketStatus } from '@core/policy';
import type { Clock } from '@core/runtime';
import type { DueMarket, MarketStore } from '@core/store';
import type { Logger } from 'pino';

export interface MarketMoves {
  readonly markets: Pick<MarketStore, 'moveStatus'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The stops on the way to a status: a market that closed and was determined between two looks passes both. */
const ways: Readonly<Record<MarketStatus, readonly MarketStatus[]>> = {
  active: [],
  closed: ['closed'],
  determined: ['closed', 'determined'],
  disputed: ['closed', 'disputed'],
  finalized: ['closed', 'determined', 'finalized'],
};

/** Moves a market as far towards a status as legal moves go. Never back to active, and never out of finalized. */
export async function moveTowards(
  { markets, clock, logger }: MarketMoves,
  market: Pick<DueMarket, 'id' | 'ticker' | 'status'>,
  status: MarketStatus,
): Promise<void> {
  if (market.status === status || market.status === 'finalized' || status === 'active') {
    return;
  }
  const way = ways[status];
  const start = way.indexOf(market.status) + 1;
  for (const next of way.slice(start)) {
    const move = await markets.moveStatus(market.id, next, clock.nowMs());
    if (move === 'illegal') {
      logger.warn({ ticker: market.ticker, from: market.status, to: next }, 'illegal market move ignored');
      return;
    }
  }
}
