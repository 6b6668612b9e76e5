export { profitAndLossOf } from './accounts/profitAndLoss.ts';
export { configOfEnv } from './env.ts';
export { createFillerMetrics } from './http/fillerMetrics.ts';
export { readJournal } from './journal/journal.ts';
export { type FillerConfig, type RunningFiller, startFiller } from './startFiller.ts';
