export { readTokenKeys } from './auth/tokenKeys.ts';
export { wasmKeccak256 } from './quotes/wasmKeccak256.ts';
export { Connection } from './sockets/connection.ts';
export { eventBodyOf } from './sockets/eventBody.ts';
export { startApi } from './startApi.ts';
