import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { routeNames } from '@core/policy';
import { dayNames } from '../days/worstDays.ts';
import { faultNames } from '../faults/faults.ts';
import { Clusters } from '../outside/clusters.ts';
import { fillerKinds } from '../world/fillers.ts';
import { marketKinds } from '../world/markets.ts';
import { ArgumentError, oneOf, wholeOf } from './arguments.ts';
import { dayRequestOf } from './dayRequest.ts';
import { dayTableOf } from './dayTable.ts';
import { fillTableOf } from './fillTable.ts';
import { physicsFlags, physicsOf } from './physicsFlags.ts';
import { differenceOf, runWorld } from './runWorld.ts';
import { withTable } from './tables.ts';
import { scenarioNames, type WorldReport, type WorldRequest } from './worldRequest.ts';

const physicsUsage = Object.entries(physicsFlags).map(
  ([
    flag,
    {
      use: [value, text],
    },
  ]) => `  ${`--${flag} ${value}`.padEnd(25)}${text}\n`,
);

const usage = `usage: pnpm simulate [lives | fills | days] [options]
  lives                    three positions come to their end; the default
  fills                    count the grants that are filled, for each pace of blocks and tick that is not given
  days                     what users, readiness, doctor and alerts show of each worst day
  --day NAME               one worst day: ${dayNames.join(', ')}
  --seed N                 seed of the world, 1 by default
  --route ROUTE            direct or fill (the default of the service)
  --fillers LIST           fillers on the route fill, at most two: ${fillerKinds.join(', ')}; shipped by default
  --keepers N              1 or 2 keepers that share the markets, 1 by default
  --users N                positions in each market of fills, 1 or 2; 2 by default
  --faults LIST            kinds of trouble, with commas: ${faultNames.join(', ')}; all; none by default
  --twice                  run each world twice and compare the traces
  --write FILE             write the table of fills or of days between its marks in a document
  --log FILE               write the outcome, one line each
  --trace FILE             write every message with its virtual time

physics of the world:
${physicsUsage.join('')}`;

const say = (line: string): boolean => process.stdout.write(`${line}\n`);

function argumentsOf(args: readonly string[]) {
  const physics = Object.fromEntries(Object.keys(physicsFlags).map((flag) => [flag, { type: 'string' } as const]));
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      ...physics,
      seed: { type: 'string', default: '1' },
      route: { type: 'string', default: 'fill' },
      fillers: { type: 'string', default: 'shipped' },
      keepers: { type: 'string', default: '1' },
      users: { type: 'string', default: '2' },
      day: { type: 'string' },
      faults: { type: 'string', default: '' },
      twice: { type: 'boolean', default: false },
      write: { type: 'string' },
      log: { type: 'string' },
      trace: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
}

type Arguments = ReturnType<typeof argumentsOf>;
type Values = Arguments['values'];

/** Settings that `fills` measures where they are not given. */
const measured = { block: ['0', '2000', '12000'], tick: ['1', '0.1'] } as const;

/**
 * Return the requests of the arguments.
 * @throws ArgumentError for a wrong one.
 */
function requestsOf({ values, positionals }: Arguments): readonly WorldRequest[] {
  const scenario = oneOf('scenario', positionals[0] ?? 'lives', scenarioNames);
  const { seed, route, fillers, keepers, users, faults } = values;
  const namesOf = (list: string): readonly string[] => list.split(',').filter((name) => name !== '');
  const isMeasured = scenario === 'fills';
  const options: Readonly<Record<string, unknown>> = values;
  const valuesOf = (flag: keyof typeof measured): readonly unknown[] =>
    isMeasured && options[flag] === undefined ? measured[flag] : [options[flag]];
  if (scenario === 'days') return daysOf(values);
  const worlds = valuesOf('block').flatMap((block) => valuesOf('tick').map((tick) => ({ ...values, block, tick })));
  return worlds.map((world) => ({
    scenario,
    seed: wholeOf('seed', seed),
    route: oneOf('route', route, routeNames),
    physics: physicsOf(world),
    keepers: oneOf('keepers', keepers, ['1', '2']) === '2' ? 2 : 1,
    fillers: namesOf(fillers).map((name) => oneOf('fillers', name, fillerKinds)),
    markets: isMeasured ? marketKinds : ['crypto'],
    users: oneOf('users', users, ['1', '2']) === '2' ? 2 : 1,
    faults: faults === 'all' ? faultNames : namesOf(faults).map((name) => oneOf('faults', name, faultNames)),
  }));
}

/** Return the request of each worst day. */
function daysOf({ seed, day, ...physics }: Values): readonly WorldRequest[] {
  const names = day === undefined ? dayNames : [oneOf('day', day, dayNames)];
  return names.map((name) => dayRequestOf(name, { seed: wholeOf('seed', seed), physics: physicsOf(physics) }));
}

function show({ lines, failure, digest, virtualSeconds, processorSeconds }: WorldReport): void {
  for (const line of lines) say(line);
  if (failure !== null) say(`failed: ${failure}`);
  say(`${virtualSeconds.toFixed(1)} virtual s, ${processorSeconds.toFixed(1)} s of the processor, trace ${digest}`);
}

/** Run a world, or two equal ones, and return its report and true when nothing is wrong with it. */
async function simulate(
  request: WorldRequest,
  clusters: Clusters,
  twice: boolean,
): Promise<{ readonly report: WorldReport; readonly isSound: boolean }> {
  const report = await runWorld(request, clusters);
  show(report);
  const isSound = report.failure === null && !report.lines.some((line) => line.includes('BROKEN'));
  if (!twice) return { report, isSound };
  const difference = differenceOf(report.trace, (await runWorld(request, clusters)).trace);
  say(difference === null ? 'the second run is equal' : `the second run differs: ${difference}`);
  return { report, isSound: isSound && difference === null };
}

/**
 * Check that a document has a place for the table, before the worlds run for minutes.
 * @throws ArgumentError for one that has none.
 */
async function checkDocument(file: string, scenario: WorldRequest['scenario']): Promise<void> {
  try {
    withTable(await readFile(file, 'utf8'), scenario, '');
  } catch (cause) {
    throw new ArgumentError(`--write ${file}: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

async function simulateAll(requests: readonly WorldRequest[], { log, trace, write, twice }: Values): Promise<boolean> {
  const scenario = requests[0]?.scenario ?? 'lives';
  if (write !== undefined) await checkDocument(write, scenario);
  const clusters = await Clusters.prepare();
  // The servers end with this process, and the worlds with their input.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => void clusters.close().finally(() => process.exit(1)));
  }
  try {
    const reports: WorldReport[] = [];
    let areSound = true;
    for (const request of requests) {
      const { blockMs, tickPips } = request.physics;
      if (requests.length > 1) say(request.day ?? `block ${blockMs} ms, tick ${tickPips} pips`);
      const { report, isSound } = await simulate(request, clusters, twice);
      areSound &&= isSound;
      reports.push(report);
    }
    const textOf = (lines: readonly string[]): string => `${lines.join('\n')}\n`;
    if (log !== undefined) await writeFile(log, textOf(reports.flatMap(({ lines }) => lines)));
    if (trace !== undefined) await writeFile(trace, textOf(reports.flatMap((report) => report.trace)));
    const table = scenario === 'days' ? dayTableOf(reports.flatMap(({ day }) => day ?? [])) : fillTableOf(reports);
    if (scenario !== 'lives') say(table);
    if (write !== undefined && areSound) {
      await writeFile(write, withTable(await readFile(write, 'utf8'), scenario, table));
    }
    return areSound;
  } finally {
    await clusters.close();
  }
}

/** Return the status of the process. */
async function main(args: readonly string[]): Promise<number> {
  try {
    const parsed = argumentsOf(args);
    if (parsed.values.help) {
      process.stdout.write(usage);
      return 0;
    }
    return (await simulateAll(requestsOf(parsed), parsed.values)) ? 0 : 1;
  } catch (error) {
    const isArgument = error instanceof ArgumentError || (error instanceof TypeError && 'code' in error);
    if (!isArgument) throw error;
    process.stderr.write(`${error.message}\n\n${usage}`);
    return 2;
  }
}

process.exitCode = await main(process.argv.slice(2));
