import { httpNeighbour, runProgram } from '@core/runtime';
import { readEnv } from './env.ts';
import { startConsole } from './server/startConsole.ts';

await runProgram({
  name: 'console',
  readEnv,
  neighbours: ({ options }) => [httpNeighbour('the chain', options.page.rpcUrl)],
  start: ({ options }, logger) => startConsole({ ...options, logger }),
});
