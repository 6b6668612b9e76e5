import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { faultNames } from '../faults/faults.ts';
import { Clusters } from '../outside/clusters.ts';
import { differenceOf, runWorld } from './runWorld.ts';
import type { WorldReport, WorldRequest } from './worldRequest.ts';

const usage = `usage: pnpm simulate [options]
  --seed N       seed of the world, 1 by default
  --route ROUTE  direct or fill (the default of the service)
  --block MS     pause between two blocks, 2000 by default; 0 mines each transaction at once
  --keepers N    1 or 2 keepers that share the markets, 1 by default
  --faults LIST  kinds of trouble, with commas: ${faultNames.join(', ')}; all; none by default
  --twice        run the seed twice and compare the traces
  --log FILE     write the outcome, one line each
  --trace FILE   write every message with its virtual time
`;

const say = (line: string): boolean => process.stdout.write(`${line}\n`);

/** A wrong argument, in one line. */
class ArgumentError extends Error {}

function valuesOf(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string', default: '1' },
      route: { type: 'string', default: 'fill' },
      block: { type: 'string', default: '2000' },
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

/** Return one of some values, or refuse the option. */
function oneOf<Value extends string>(option: string, value: string, known: readonly Value[]): Value {
  const match = known.find((name) => name === value);
  if (match === undefined) throw new ArgumentError(`--${option} ${value}: use one of ${known.join(', ')}`);
  return match;
}

function wholeOf(option: string, value: string): number {
  const number = /^\d{1,10}$/.test(value) ? Number(value) : null;
  if (number === null) throw new ArgumentError(`--${option} ${value}: use a whole number of up to ten digits`);
  return number;
}

/**
 * Return the request of the arguments.
 * @throws ArgumentError for a wrong one.
 */
function requestOf({ seed, route, block, keepers, faults }: Values): WorldRequest {
  const blockIntervalMs = wholeOf('block', block);
  if (blockIntervalMs > 0 && blockIntervalMs < 1_000) throw new ArgumentError('--block: use 0, or 1000 or more');
  const names = faults.split(',').filter((name) => name !== '');
  return {
    seed: wholeOf('seed', seed),
    route: oneOf('route', route, ['direct', 'fill']),
    blockIntervalMs,
    keepers: oneOf('keepers', keepers, ['1', '2']) === '2' ? 2 : 1,
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
