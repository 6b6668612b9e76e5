export * from './positionHistory.ts';
export { sampleExecution } from './sampleExecution.ts';
export { hashOf, sampleNowMs, samplePosition, walletOf } from './samples.ts';
export { openingSplitOf, waterfallOf } from './settlement.ts';
