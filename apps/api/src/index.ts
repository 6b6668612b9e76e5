export { readTokenKeys } from './auth/tokenKeys.ts';
export { createMetrics } from './operations.ts';
export { defaultLimits } from './processLimits.ts';
export { wasmKeccak256 } from './quotes/wasmKeccak256.ts';
export { Connection } from './sockets/connection.ts';
export { eventBodyOf } from './sockets/eventBody.ts';
export { startApi } from './startApi.ts';
