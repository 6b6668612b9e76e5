import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { faultNames } from '../faults/faults.ts';
import { Clusters } from '../outside/clusters.ts';
import { ArgumentError, oneOf, wholeOf } from './arguments.ts';
import { physicsFlags, physicsOf } from './physicsFlags.ts';
import { differenceOf, runWorld } from './runWorld.ts';
import type { WorldReport, WorldRequest } from './worldRequest.ts';

const physicsUsage = Object.entries(physicsFlags).map(
  ([
    flag,
    {
      use: [value, text],
    },
  ]) => `  ${`--${flag} ${value}`.padEnd(25)}${text}\n`,
);

const usage = `usage: pnpm simulate [options]
  --seed N                 seed of the world, 1 by default
  --route ROUTE            direct or fill (the default of the service)
  --keepers N              1 or 2 keepers that share the markets, 1 by default
  --faults LIST            kinds of trouble, with commas: ${faultNames.join(', ')}; all; none by default
  --twice                  run the seed twice and compare the traces
  --log FILE               write the outcome, one line each
  --trace FILE             write every message with its virtual time

physics of the world:
${physicsUsage.join('')}`;

const say = (line: string): boolean => process.stdout.write(`${line}\n`);

function valuesOf(args: readonly string[]) {
  const physics = Object.fromEntries(Object.keys(physicsFlags).map((flag) => [flag, { type: 'string' } as const]));
  return parseArgs({
    args: [...args],
    options: {
      ...physics,
      seed: { type: 'string', default: '1' },
      route: { type: 'string', default: 'fill' },
      keepers: { type: 'string', default: '1' },
      faults: { type: 'string', default: '' },
      twice: { type: 'boolean', default: false },
      log: { type: 'string' },
      trace: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  }).values;
}

type Values = ReturnType<typeof valuesOf>;

/**
 * Return the request of the arguments.
 * @throws ArgumentError for a wrong one.
 */
function requestOf(values: Values): WorldRequest {
  const { seed, route, keepers, faults } = values;
  const names = faults.split(',').filter((name) => name !== '');
  return {
    seed: wholeOf('seed', seed),
    route: oneOf('route', route, ['direct', 'fill']),
    physics: physicsOf(values),
    keepers: oneOf('keepers', keepers, ['1', '2']) === '2' ? 2 : 1,
    markets: ['crypto'],
    faults: faults === 'all' ? faultNames : names.map((name) => oneOf('faults', name, faultNames)),
  };
}

function show({ lines, failure, digest, virtualSeconds, processorSeconds }: WorldReport): void {
  for (const line of lines) say(line);
  if (failure !== null) say(`failed: ${failure}`);
  say(`${virtualSeconds.toFixed(1)} virtual s, ${processorSeconds.toFixed(1)} s of the processor, trace ${digest}`);
}

async function simulate(request: WorldRequest, { log, trace, twice }: Values): Promise<boolean> {
  const clusters = await Clusters.prepare();
  // The servers end with this process, and the worlds with their input.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => void clusters.close().finally(() => process.exit(1)));
  }
  try {
    const report = await runWorld(request, clusters);
    show(report);
    if (log !== undefined) await writeFile(log, `${report.lines.join('\n')}\n`);
    if (trace !== undefined) await writeFile(trace, `${report.trace.join('\n')}\n`);
    const isSound = report.failure === null && !report.lines.some((line) => line.includes('BROKEN'));
    if (!twice) return isSound;
    const difference = differenceOf(report.trace, (await runWorld(request, clusters)).trace);
    say(difference === null ? 'the second run is equal' : `the second run differs: ${difference}`);
    return isSound && difference === null;
  } finally {
    await clusters.close();
  }
}

/** Return the status of the process. */
async function main(args: readonly string[]): Promise<number> {
  try {
    const values = valuesOf(args);
    if (values.help) {
      process.stdout.write(usage);
      return 0;
    }
    return (await simulate(requestOf(values), values)) ? 0 : 1;
  } catch (error) {
    const isArgument = error instanceof ArgumentError || (error instanceof TypeError && 'code' in error);
    if (!isArgument) throw error;
    process.stderr.write(`${error.message}\n\n${usage}`);
    return 2;
  }
}

process.exitCode = await main(process.argv.slice(2));
