import { httpNeighbour, nodeNeighbours, runProgram } from '@core/runtime';
import { runCommand } from './commands.ts';
import { configOfEnv } from './env.ts';
import { startFiller } from './startFiller.ts';

const [command] = process.argv.slice(2);
if (command !== undefined) {
  process.exitCode = await runCommand(command, process.env);
} else {
  await runProgram({
    name: 'filler',
    readEnv: configOfEnv,
    neighbours: ({ config }) => [...nodeNeighbours(config), httpNeighbour('the venue', config.venueUrl)],
    start: ({ config }, logger) => startFiller({ ...config, logger }),
  });
}
