import type { DayRow } from '../days/measureDay.ts';
import type { FillRow } from '../fills/fillRows.ts';
import type { MeasuredMoney } from '../fills/measureFills.ts';
import { installEdge } from '../runtime/installEdge.ts';
import type { WorldOrder, WorldReport } from './worldRequest.ts';

/** Virtual start of every world: no market day ends for hours. */
const startMs = Date.parse('2026-11-26T18:05:00Z');
/** Virtual time for the start of all programs, and for all that happens afterwards. */
const limitMs = { start: 600_000, lives: 3_600_000 } as const;

// A world does not outlive the process that wants it.
process.stdin.resume().on('end', () => process.exit(1));

const { databaseUrl, folder, ...request }: WorldOrder = JSON.parse(process.argv[2] ?? '');
const lines: string[] = [];
const trace: string[] = [];
let fills: readonly FillRow[] = [];
let money: MeasuredMoney | null = null;
let dayRow: DayRow | null = null;
const edge = installEdge({ seed: request.seed, startMs, trace: (line) => trace.push(line) });
const { scheduler } = edge;
const say = (line: string): void => {
  lines.push(`${(scheduler.elapsedMs / 1_000).toFixed(3)} ${line}`);
  scheduler.note(line);
};

// A program that does not catch its error would have ended with it.
process.on('uncaughtException', (error) => {
  if (error.name !== 'Killed') scheduler.fail(`an error that no program caught: ${error.stack ?? error.message}`);
});

/** Open what is no program of the world. Its modules are loaded behind the edge: they keep what they find. */
async function openOutside() {
  const { loadLateModules } = await import('../world/loadLateModules.ts');
  await loadLateModules();
  const { openDatabase } = await import('../world/openDatabase.ts');
  const { openProvider } = await import('@core/contracts/local');
  const mining = { isInstant: true, intervalMs: 0 } as const;
  const [database, provider] = await Promise.all([
    openDatabase(edge, databaseUrl),
    openProvider({ initialDate: new Date(startMs), mining }),
  ]);
  return { ...database, folder, provider };
}

/** Run the world to its end, and return the reason of an early end. */
async function failureOf(): Promise<string | null> {
  const outside = await openOutside();
  const { startWorld } = await import('../world/startWorld.ts');
  const { threeLives } = await import('./threeLives.ts');
  const { measureFills } = await import('../fills/measureFills.ts');
  const { measureDay } = await import('../days/measureDay.ts');
  const { setClocksApart } = await import('../faults/setClocksApart.ts');
  const { faults } = await import('../faults/faults.ts');
  edge.seal();
  try {
    const world = await scheduler.settle('start', () => startWorld(edge, outside, request), limitMs.start);
    say('started');
    const { clocksApartMs: apartMs } = request.physics;
    setClocksApart(world.programs, { apartMs, random: edge.random('clocks apart'), say });
    const ends = request.faults.map((name) => faults[name]({ world, random: edge.random(name), say }));
    const endFaults = () => ends.toReversed().map((end) => end());
    const work = async (): Promise<void> => {
      if (request.scenario === 'lives') await threeLives(world, { say, endFaults });
      else if (request.day !== undefined) dayRow = await measureDay(world, { day: request.day, say });
      else ({ fills, money } = await measureFills(world, { say, users: request.users }));
    };
    await scheduler.settle('lives', work, limitMs.lives);
    return null;
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}

const failure = await failureOf();
const { user, system } = process.cpuUsage();
const report: WorldReport = {
  request,
  digest: scheduler.digest(),
  failure,
  lines,
  trace,
  fills,
  money,
  day: dayRow,
  counts: Object.fromEntries([...scheduler.counts].toSorted(([, left], [, right]) => right - left)),
  virtualSeconds: scheduler.elapsedMs / 1_000,
  processorSeconds: (user + system) / 1e6,
};
process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit());
