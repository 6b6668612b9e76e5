import { httpNeighbour, runProgram } from '@core/runtime';
import { databaseNeighbour } from '@core/store';
import { configOfEnv } from './env.ts';
import { startKeeper } from './startKeeper.ts';

await runProgram({
  name: 'keeper',
  readEnv: configOfEnv,
  neighbours: ({ config }) => [
    databaseNeighbour(config.databaseUrl),
    // One of several nodes is enough to work, and which one is the start's business.
    ...(config.fallbackRpcUrls?.length ? [] : [httpNeighbour('the chain', config.rpcUrl)]),
    httpNeighbour('the venue', config.venueUrl),
  ],
  start: ({ config }, logger) => startKeeper({ ...config, logger }),
});
