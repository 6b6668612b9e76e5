import { openSigner } from '@core/keys';
import { httpNeighbour, nodeNeighbours, runProgram } from '@core/runtime';
import { readEnv } from './env.ts';
import { startPriceSigner } from './startPriceSigner.ts';

await runProgram({
  name: 'price-signer',
  readEnv,
  neighbours: ({ options }) => [...nodeNeighbours(options), httpNeighbour('the venue', options.venueUrl)],
  start: async ({ options, key }, logger) => startPriceSigner({ ...options, signer: await openSigner(key), logger }),
});
