import { spawn } from 'node:child_process';
import { Worker } from 'node:worker_threads';
import { installEdge } from '../../src/runtime/installEdge.ts';

// Kept before they are replaced, as a module may do that is loaded too early.
const { setTimeout: earlyTimeout } = globalThis;
const earlyNow = performance.now.bind(performance);
const [planted = ''] = process.argv.slice(2);
const trace: string[] = [];
const edge = installEdge({ seed: 1, startMs: 1_000_000, trace: (line) => trace.push(line) });
const { scheduler } = edge;
edge.seal();

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const faults: Readonly<Record<string, () => unknown>> = {
  none: () => undefined,
  'a late import': () => import('./lateModule.ts'),
  'a real timer': () => earlyTimeout(() => undefined, 1),
  'a child process': () => spawn('true'),
  'a thread': () => new Worker('', { eval: true }),
  // Whatever answers in another order or at another time in each run.
  'an answer of the real clock': () => scheduler.note(`answer ${earlyNow()}`),
  'a wait without an end': () => new Promise(() => undefined),
};

async function failureOf(): Promise<string | null> {
  try {
    const work = async (): Promise<void> => {
      await wait(5);
      await faults[planted]?.();
      await wait(5);
    };
    await scheduler.settle('the work', work, 1_000);
    return null;
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
}

const report = { failure: await failureOf(), trace };
process.stdout.write(JSON.stringify(report), () => process.exit());
