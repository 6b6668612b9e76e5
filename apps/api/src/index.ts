export { readTokenKeys } from './auth/tokenKeys.ts';
export { Connection } from './sockets/connection.ts';
export { eventBodyOf } from './sockets/eventBody.ts';
export { startApi } from './startApi.ts';
