export { profitAndLossOf } from './accounts/profitAndLoss.ts';
export { createFillerMetrics } from './http/fillerMetrics.ts';
export { readJournal } from './journal/journal.ts';
export { type FillerConfig, type RunningFiller, startFiller } from './startFiller.ts';
