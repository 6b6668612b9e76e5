import { httpNeighbour, nodeNeighbours, runProgram } from '@core/runtime';
import { databaseNeighbour } from '@core/store';
import { readEnv } from './env.ts';
import { openApi } from './openApi.ts';

/** Time to end polls, feeds and connections after the requests under way. */
const closeMs = 15_000;

await runProgram({
  name: 'api',
  readEnv,
  neighbours: (env) => [
    databaseNeighbour(env.databaseUrl),
    ...nodeNeighbours(env.nodes),
    httpNeighbour('the venue', env.venueHosts.url),
  ],
  closeLimitMs: ({ config }) => config.limits.drainMs + closeMs,
  start: openApi,
});
