import { expect, test } from 'vitest';
import { runScenario } from './runScenario.ts';

test('waits for a lock: end by the first of release, lock_timeout and statement_timeout, whatever the machine does', async () => {
  const program = new URL('./waits.scenario.ts', import.meta.url);
  const [first, second] = [await runScenario(program, 'random'), await runScenario(program, 'random')];
  expect(first.result).toEqual([]);
  expect(second.digest).toBe(first.digest);
});
