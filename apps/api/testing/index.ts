export { reportKeeper } from './aheadKeeper.ts';
export { apiEnvironment } from './apiEnvironment.ts';
export { FakePool } from './fakePool.ts';
export { notify, writePosition, writtenPosition } from './positionWriter.ts';
export { listedMarketOf } from './sampleVenueMarket.ts';
export { idsOf, lastingOf, runningApi, SocketFollower } from './socketFollower.ts';
export { type SpawnedApi, spawnApi } from './spawnApi.ts';
export { type Surroundings, startSurroundings } from './startSurroundings.ts';
export { fieldOf, send, startTestApi, type TestApi, wallets } from './startTestApi.ts';
