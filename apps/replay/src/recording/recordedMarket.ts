import type { CryptoFacts, SportFacts } from '@core/policy';
import type { PricePips, VenueFeeSchedule } from '@core/pricing';

/** One recorded look at the YES token. A price is null where the recording shows none. */
export interface RecordedRow {
  readonly atMs: number;
  readonly bidPricePips: PricePips | null;
  readonly askPricePips: PricePips | null;
}

/** A market as recorded, with its outcome; rows in order of time. */
export interface RecordedMarket {
  readonly marketId: string;
  readonly subject: CryptoFacts | SportFacts;
  /** What the figures are grouped by: the asset, or the sport and its line. */
  readonly className: string;
  /** Markets that are one bet: an hour over all assets, a game over all its lines. */
  readonly clusterId: string;
  readonly closeAtMs: number;
  readonly isYesWinner: boolean;
  readonly venueFee: VenueFeeSchedule;
  readonly rows: readonly RecordedRow[];
}

/** What a file of recordings gave: the markets that can be replayed, and how many cannot, by reason. */
export interface Recording {
  readonly markets: readonly RecordedMarket[];
  readonly leftOut: ReadonlyMap<string, number>;
}
