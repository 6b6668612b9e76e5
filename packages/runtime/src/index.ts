export { type Clock, systemClock } from './clock.ts';
export {
  address,
  blockNumber,
  type Codec,
  databaseUrl,
  fileOf,
  flag,
  httpUrl,
  json,
  type LogLevel,
  listOf,
  logLevel,
  matching,
  oneOf,
  port,
  privateKey,
  redisUrl,
  socketUrl,
  textOf,
  wholeNumber,
} from './codecs.ts';
export { chainClientOf, chainNodesOf, connectChain } from './connectChain.ts';
export { createLogger, type Logger } from './createLogger.ts';
export { armedFailpointOf, failpointAt, failpointSettings } from './failpoint.ts';
export {
  followedClock,
  openClock,
} from './followedClock.ts';
export { FriendlyError } from './friendlyError.ts';
export {
  ageMsOf,
  type Heard,
  type Heartbeat,
  HeartbeatReader,
  keeperHeartbeat,
  keeperHeartbeatOf,
} from './heartbeat.ts';
export { httpExchange } from './httpExchange.ts';
export { type ExitReport, type KeeperReport, keeperReportOf } from './keeperReport.ts';
export { type Listening, listen } from './listen.ts';
export { marketShareCount, marketShareOf, marketShares } from './marketShare.ts';
export { httpNeighbour } from './neighbours.ts';
export {
  type Operations,
  operationsAnswerOf,
  type Readiness,
  sendAnswer,
  startOperationsServer,
} from './operations.ts';
export { onlyFaults, type Polling, pollRepeatedly } from './pollRepeatedly.ts';
export { randomHex } from './randomHex.ts';
export {
  type Environment,
  optional,
  readEnvironment,
  required,
  type ValuesOf,
  withDefault,
} from './readEnvironment.ts';
export { RecentMap } from './recentMap.ts';
export { runProgram } from './runProgram.ts';
export { shareReads } from './shareReads.ts';
