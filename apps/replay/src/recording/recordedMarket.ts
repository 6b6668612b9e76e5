import type { CryptoFacts, SportFacts } from '@core/market';
import type { PricePips, VenueFeeSchedule } from '@core/pricing';

/** One recorded observation of the YES token. A price is null where the recording has none. */
export interface RecordedRow {
  readonly atMs: number;
  readonly bidPricePips: PricePips | null;
  readonly askPricePips: PricePips | null;
}

/** A recorded market with its outcome; rows in order of time. */
export interface RecordedMarket {
  readonly marketId: string;
  readonly subject: CryptoFacts | SportFacts;
  /** Group of the figures: the asset, or the sport and its line. */
  readonly className: string;
  /** Markets that are one bet: an hour over all assets, a game over all its lines. */
  readonly clusterId: string;
  readonly closeAtMs: number;
  readonly isYesWinner: boolean;
  readonly venueFee: VenueFeeSchedule;
  readonly rows: readonly RecordedRow[];
}

/** Content of a recording: the markets that can be replayed, and the number of others by reason. */
export interface Recording {
  readonly markets: readonly RecordedMarket[];
  readonly leftOut: ReadonlyMap<string, number>;
}
