import { expect, test } from 'vitest';
import { runScenario } from './runScenario.ts';

test('trace: does not depend on the ids of transactions and processes', async () => {
  const program = new URL('./trace.scenario.ts', import.meta.url);
  const [few, many] = [await runScenario(program, 'fewIds'), await runScenario(program, 'manyIds')];
  expect(many.digest).toBe(few.digest);
});
