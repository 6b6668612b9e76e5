import type { ObservationConfig } from '@core/market';
import type { Side } from '@core/position';
import type { Clock } from '@core/runtime';
import type { VenueClient } from '../port/venueClient.ts';
import type { VenueFault } from '../port/venueFault.ts';
import type { ReferenceFeeds } from '../reference/referenceFeeds.ts';
import type { SocketState, SocketTiming } from '../socket/reconnectingSocket.ts';
import type { ReaderTiming } from './bookReader.ts';
import type { FreezeTiming } from './freezeGuard.ts';

export interface WatchTiming extends ReaderTiming, FreezeTiming {
  /** Interval at which the largest holders of a market are read. */
  readonly holdersIntervalMs: number;
}

export interface MarketWatchOptions {
  /** Books and holders; give it short timeouts and few attempts, the watch repeats reads itself. */
  readonly client: Pick<VenueClient, 'book' | 'topHolders'> & Partial<Pick<VenueClient, 'books'>>;
  /** `ws://…/ws/market`. */
  readonly marketSocketUrl: string;
  readonly clock: Clock;
  readonly reference: ReferenceFeeds;
  readonly config?: ObservationConfig;
  readonly timing?: Partial<WatchTiming>;
  readonly socketTiming?: Partial<SocketTiming>;
  /** Uniform in [0, 1): the source of jitter. */
  readonly random?: () => number;
  /** Called with the fault of a failed read, for logs and metrics. The watch continues. */
  readonly onFault?: (fault: VenueFault) => void;
}

/** A market's book was confirmed or changed. */
export interface MarketTick {
  readonly ticker: string;
  readonly side: Side;
  readonly tokenId: string;
  readonly atMs: number;
}

/** State of the feed, for health checks and metrics. */
export interface WatchHealth {
  readonly socketState: SocketState;
  readonly marketCount: number;
  /** Markets that take orders and of which at least one book is missing or older than 5 seconds. */
  readonly staleMarketCount: number;
  /** Their tickers. */
  readonly staleTickers: readonly string[];
  /** Connections closed because REST was ahead of the socket. */
  readonly freezeCount: number;
}
