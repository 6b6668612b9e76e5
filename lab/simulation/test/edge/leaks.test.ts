import { expect, test } from 'vitest';
import { runSimulated } from '../../src/run/runSimulated.ts';
import { differenceOf } from '../../src/run/runWorld.ts';

interface LeakReport {
  readonly failure: string | null;
  readonly trace: readonly string[];
}

const run = async (planted: string): Promise<LeakReport> =>
  (await runSimulated(new URL('./leakProgram.ts', import.meta.url), planted)) as LeakReport;

test.each([
  ['none', /^no failure$/],
  ['a late import', /^SimulationFault: a module is loaded while the world runs: .*lateModule/],
  ['a real timer', /^SimulationFault: Timeout of the real world, made .*leakProgram/],
  ['a child process', /^SimulationFault: (PROCESSWRAP|PIPEWRAP) of the real world/],
  ['a thread', /^SimulationFault: WORKER of the real world/],
  ['a wait without an end', /^SimulationFault: the work: not done after 1000 ms of virtual time/],
])('planted: %s → %s', async (planted, failure) => {
  expect((await run(planted)).failure ?? 'no failure').toMatch(failure);
});

test('planted: an answer that differs from run to run → the first line that differs', async () => {
  const [first, second] = await Promise.all([run('an answer of the real clock'), run('an answer of the real clock')]);
  expect(differenceOf(first.trace, second.trace)).toMatch(/^line 1 of the trace: 5\.000 answer .* \| 5\.000 answer /);
});
