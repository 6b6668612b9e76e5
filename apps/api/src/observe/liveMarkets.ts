import type { MarketWatch } from '@core/venue';

/** What the service asks of the live feed: it is told which markets matter and gives each as one snapshot. */
export type LiveMarkets = Pick<MarketWatch, 'watch' | 'unwatch' | 'setOpenLeveraged' | 'snapshotOf' | 'health'>;
