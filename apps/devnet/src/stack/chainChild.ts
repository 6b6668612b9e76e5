import { randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { CompilationError, contractsHash, deployLocal, localAccountCount, localMnemonic } from '@core/contracts/local';
import {
  FriendlyError,
  type Logger,
  nextTimeOfDay,
  optional,
  port,
  programEnvOf,
  programSettings,
  readEnvironment,
  replaceFile,
  required,
  runProgram,
  textOf,
  timeOfDay,
  wholeNumber,
  withDefault,
} from '@core/runtime';
import { ChainFolder } from './chain/chainFolder.ts';
import { KeptChain } from './chain/keptChain.ts';

const settings = {
  CHAIN_DIR: required(textOf()),
  CHAIN_PORT: required(port),
  CHAIN_START_TIME: optional(timeOfDay),
  /** Seconds from one block to the next; 0 mines a transaction at once. */
  CHAIN_PACE_SECONDS: withDefault(wholeNumber(0, 99), 0),
  DEPLOYMENT_FILE: required(textOf()),
  ...programSettings,
};

interface Places {
  readonly folder: string;
  readonly port: number;
  readonly deploymentFile: string;
  /** Time of day at which a new chain begins, `HH:MM` in UTC; null for now. */
  readonly startTime: string | null;
  readonly paceSeconds: number;
}

/** Runs the local chain until SIGTERM or SIGINT and ends with its node. Deploys once per chain. */
await runProgram({
  name: 'chain',
  readEnv: (environment) => {
    const env = readEnvironment({ program: 'chain', settings, ownPrefixes: ['CHAIN_'] }, environment);
    const places: Places = {
      folder: env.CHAIN_DIR,
      port: env.CHAIN_PORT,
      deploymentFile: env.DEPLOYMENT_FILE,
      startTime: env.CHAIN_START_TIME ?? null,
      paceSeconds: env.CHAIN_PACE_SECONDS,
    };
    return { ...places, ...programEnvOf(env) };
  },
  start: async (places, logger) => {
    // A chain without a finished deployment is unknown to every program.
    if (!existsSync(places.deploymentFile)) rmSync(places.folder, { recursive: true, force: true });
    const nowSeconds = Math.floor(Date.now() / 1_000);
    const chain = await KeptChain.open({
      folder: new ChainFolder(places.folder, logger),
      port: places.port,
      mnemonic: localMnemonic,
      accountCount: localAccountCount,
      firstSeconds: places.startTime === null ? nowSeconds : nextTimeOfDay(places.startTime, nowSeconds),
      logger,
    });
    chain.failed.catch((error: unknown) => {
      logger.fatal({ err: error }, 'the chain ended');
      process.exit(1);
    });
    if (!existsSync(places.deploymentFile)) await deploy(chain, places, logger);
    // From here on: a deployment of many transactions would take minutes.
    chain.setPace(places.paceSeconds);
    process.stdout.write(`${JSON.stringify({ rpcUrl: chain.rpcUrl })}\n`);
    return chain;
  },
});

async function deploy(chain: KeptChain, { deploymentFile }: Places, logger: Logger): Promise<void> {
  const hash = contractsHash();
  const deployment = await deployLocal({ rpcUrl: chain.rpcUrl }).catch((error: unknown) => {
    throw error instanceof CompilationError ? new FriendlyError(error.message) : error;
  });
  await chain.settled();
  const deployed = { id: randomUUID(), contractsHash: hash, deployment };
  replaceFile(
    deploymentFile,
    `${JSON.stringify(deployed, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))}\n`,
  );
  logger.info({ vault: deployment.contracts.vault }, 'contracts deployed');
}
