export { type CollectedSpan, type Collector, startCollector } from './collector.ts';
