import { openSigner } from '@core/keys';
import { httpNeighbour, runProgram } from '@core/runtime';
import { databaseNeighbour } from '@core/store';
import { configOfEnv } from './env.ts';
import { startKeeper } from './startKeeper.ts';

await runProgram({
  name: 'keeper',
  readEnv: configOfEnv,
  neighbours: ({ config }) => [
    databaseNeighbour(config.databaseUrl),
    // With several nodes any one is enough; the start selects it.
    ...(config.fallbackRpcUrls?.length ? [] : [httpNeighbour('the chain', config.rpcUrl)]),
    httpNeighbour('the venue', config.venueUrl),
  ],
  start: async ({ config, key }, logger) => startKeeper({ ...config, signer: await openSigner(key), logger }),
});
