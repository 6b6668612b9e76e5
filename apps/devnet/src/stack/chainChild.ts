import { randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { contractsHash, deployLocal, localAccountCount, localMnemonic } from '@core/contracts/local';
import { type Logger, logLevel, port, readEnvironment, required, runProgram, textOf, withDefault } from '@core/runtime';
import { ChainFolder } from './chain/chainFolder.ts';
import { KeptChain } from './chain/keptChain.ts';
import { writePrivately } from './state/writePrivately.ts';

const settings = {
  CHAIN_DIR: required(textOf()),
  CHAIN_PORT: required(port),
  DEPLOYMENT_FILE: required(textOf()),
  LOG_LEVEL: withDefault(logLevel, 'info'),
};

interface Places {
  readonly folder: string;
  readonly port: number;
  readonly deploymentFile: string;
}

/** Runs the local chain until SIGTERM or SIGINT, and ends when the node has ended. Deploys once in the chain's life. */
await runProgram({
  name: 'chain',
  readEnv: (environment) => {
    const env = readEnvironment({ program: 'chain', settings, ownPrefixes: ['CHAIN_'] }, environment);
    const places: Places = { folder: env.CHAIN_DIR, port: env.CHAIN_PORT, deploymentFile: env.DEPLOYMENT_FILE };
    return { ...places, logLevel: env.LOG_LEVEL };
  },
  start: async (places, logger) => {
    // Nothing knows of a chain whose deployment was not finished.
    if (!existsSync(places.deploymentFile)) rmSync(places.folder, { recursive: true, force: true });
    const chain = await KeptChain.open({
      folder: new ChainFolder(places.folder),
      port: places.port,
      mnemonic: localMnemonic,
      accountCount: localAccountCount,
      logger,
    });
    chain.failed.catch((error: unknown) => {
      logger.fatal({ err: error }, 'the chain ended');
      process.exit(1);
    });
    if (!existsSync(places.deploymentFile)) await deploy(chain, places, logger);
    process.stdout.write(`${JSON.stringify({ rpcUrl: chain.rpcUrl })}\n`);
    return chain;
  },
});

async function deploy(chain: KeptChain, { deploymentFile }: Places, logger: Logger): Promise<void> {
  const hash = contractsHash();
  const deployment = await deployLocal({ rpcUrl: chain.rpcUrl });
  await chain.settled();
  const deployed = { id: randomUUID(), contractsHash: hash, deployment };
  writePrivately(
    deploymentFile,
    `${JSON.stringify(deployed, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))}\n`,
  );
  logger.info({ vault: deployment.contracts.vault }, 'everything is deployed');
}
