import { openSigner } from '@core/keys';
import { httpNeighbour, runProgram } from '@core/runtime';
import { readEnv } from './env.ts';
import { startPriceSigner } from './startPriceSigner.ts';

await runProgram({
  name: 'price-signer',
  readEnv,
  neighbours: ({ options }) => [
    httpNeighbour('the chain', options.rpcUrl),
    httpNeighbour('the venue', options.venueUrl),
  ],
  start: async ({ options, key }, logger) => startPriceSigner({ ...options, signer: await openSigner(key), logger }),
});
