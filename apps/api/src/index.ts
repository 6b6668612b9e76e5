export { readTokenKeys, type TokenKeys } from './auth/tokenKeys.ts';
export type { ApiConfig, CrashPoint } from './config.ts';
export { readContractTerms } from './observe/contractTerms.ts';
export type { LiveMarkets } from './observe/liveMarkets.ts';
export { PoolReader, type PoolView } from './observe/poolReader.ts';
export { type ApiParts, type RunningApi, startApi } from './startApi.ts';
