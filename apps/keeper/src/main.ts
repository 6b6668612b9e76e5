import { openSigner } from '@core/keys';
import { httpNeighbour, nodeNeighbours, runProgram } from '@core/runtime';
import { databaseNeighbour } from '@core/store';
import { configOfEnv } from './env.ts';
import { startKeeper } from './startKeeper.ts';

await runProgram({
  name: 'keeper',
  readEnv: configOfEnv,
  neighbours: ({ config }) => [
    databaseNeighbour(config.databaseUrl),
    ...nodeNeighbours(config),
    httpNeighbour('the venue', config.venueUrl),
  ],
  start: async ({ config, key }, logger) => startKeeper({ ...config, signer: await openSigner(key), logger }),
});
