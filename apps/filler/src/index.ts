export { createFillerMetrics } from './http/fillerMetrics.ts';
