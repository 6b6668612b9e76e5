export { createFillerMetrics } from './http/fillerMetrics.ts';
export { type FillerConfig, type RunningFiller, startFiller } from './startFiller.ts';
