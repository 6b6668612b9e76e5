import { httpNeighbour, runProgram } from '@core/runtime';
import { optionsFromEnv } from './env.ts';
import { startVenueSim } from './startVenueSim.ts';

await runProgram({
  name: 'venue-sim',
  readEnv: optionsFromEnv,
  neighbours: ({ options: { rpcUrl } }) => (rpcUrl === undefined ? [] : [httpNeighbour('the chain', rpcUrl)]),
  start: async ({ options }, logger) => {
    const sim = await startVenueSim({ ...options, logger });
    logger.info(
      { url: sim.url, seed: options.seed, markets: sim.venue.markets.listed.length },
      'venue simulator is open',
    );
    return sim;
  },
});
