export { type Alert, alertTable, runbookOf, scrapedJobs } from './alerts/alertTable.ts';
export type { Series } from './alerts/expression.ts';
export { AppendedLines } from './appendedLines.ts';
export { awaitEnds } from './awaitEnds.ts';
export { BlockPace, type TimedBlock } from './blockPace.ts';
export { boundedServer } from './boundedServer.ts';
export { type Clock, systemClock } from './clock.ts';
export {
  address,
  blockNumber,
  type Codec,
  databaseUrl,
  fileOf,
  flag,
  httpUrl,
  interfaceAddress,
  isRefusedByFetch,
  json,
  listOf,
  loopbackAddress,
  matching,
  oneOf,
  port,
  privateKey,
  redisUrl,
  socketUrl,
  textOf,
  wholeNumber,
} from './codecs.ts';
export { type ChainClientOptions, chainClientOf, chainNodesOf, connectChain, healthOf } from './connectChain.ts';
export { createLogger, type Logger } from './createLogger.ts';
export { armedFailpointOf, type Failpoint, failpointAt, failpointSettings } from './failpoint.ts';
export { FeeBounds } from './feeBounds.ts';
export { FileDraft, replaceFile } from './fileDraft.ts';
export type { FileOperations } from './fileOperations.ts';
export { type FillCostReport, type FillReport, presentFillReport, unfilledCausesOf } from './fillReport.ts';
export { type Finality, finalBlockOf, finality } from './finality.ts';
export {
  followedClock,
  openClock,
} from './followedClock.ts';
export { FriendlyError } from './friendlyError.ts';
export { defaultMaxHeadAgeMs, type HeadState, HeadWatch } from './headWatch.ts';
export {
  ageMsOf,
  type Heard,
  type Heartbeat,
  HeartbeatReader,
  keeperHeartbeat,
  keeperHeartbeatOf,
} from './heartbeat.ts';
export { httpExchange } from './httpExchange.ts';
export { inheritedEnvironment } from './inheritedEnvironment.ts';
export {
  type CoinLevel,
  type CoinReading,
  coinLevelOf,
  coinNeedsOf,
  keeperCallGas,
} from './keeperCoin.ts';
export {
  type ChainReport,
  coinReportOf,
  type ExitReport,
  type KeeperReport,
  keeperReportOf,
  presentChainReport,
} from './keeperReport.ts';
export { type LineFile, readLineFile } from './lineFile.ts';
export { type Listening, listen } from './listen.ts';
export {
  defaultMarketShareCount,
  isOverlapping,
  type MarketShare,
  marketHashOf,
  marketShareCounts,
  marketShareName,
  marketShareOf,
  marketSharesOf,
} from './marketShare.ts';
export { httpNeighbour } from './neighbours.ts';
export { isHeldAnswer } from './nodeAnswers.ts';
export { NodeHealth } from './nodeHealth.ts';
export { presentNodes, watchNodes } from './nodeMetrics.ts';
export { type ChainNodes, nodeNeighbours, nodeSettings, nodesOfEnv } from './nodeSettings.ts';
export { type NonceUse, nonceUseOf } from './nonceUse.ts';
export {
  type Operations,
  operationsAnswerOf,
  type Readiness,
  sendAnswer,
  startOperationsServer,
} from './operations.ts';
export { onlyFaults, type Polling, pollRepeatedly } from './pollRepeatedly.ts';
export { type ProgramEnv, programEnvOf, programSettings } from './programSettings.ts';
export { randomHex } from './randomHex.ts';
export {
  type Environment,
  optional,
  readEnvironment,
  required,
  type ValuesOf,
  withDefault,
} from './readEnvironment.ts';
export { retryAfterMsOf } from './retryAfter.ts';
export { runProgram } from './runProgram.ts';
export {
  type EndedRequest,
  type EndedSignature,
  type PoolState,
  type SharedMetrics,
  sharedMetrics,
  watchProcess,
} from './sharedMetrics.ts';
export { shareReads } from './shareReads.ts';
export { nextTimeOfDay, timeOfDay } from './timeOfDay.ts';
export {
  bumpedFeesOf,
  defaultMaxFeeGwei,
  type GasPrice,
  offeredFeesOf,
  type TransactionFees,
} from './transactionFees.ts';
export { requestsWebSocket } from './webSocketRequest.ts';
