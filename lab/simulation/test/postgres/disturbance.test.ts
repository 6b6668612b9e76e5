import { expect, test } from 'vitest';
import { runScenario } from './runScenario.ts';

const program = new URL('./disturbance.scenario.ts', import.meta.url);
const resultOf = async (name: string): Promise<unknown> => (await runScenario(program, name)).result;

test('refused statement: fails its transaction, which can be repeated', async () => {
  expect(await resultOf('refuse')).toEqual({
    refused: { atMs: 0, code: '40001', message: 'could not serialize access' },
    aborted: '25P02',
    repeated: null,
    count: 1,
  });
});

test('cut session: loses the statement or its answer', async () => {
  expect(await resultOf('cut')).toEqual([
    [true, 0],
    [true, 1],
  ]);
});

test('delayed answer: the statement has run, and the next one waits', async () => {
  expect(await resultOf('delay')).toEqual({ seen: 1, first: 700, second: 700 });
});

test('held table: blocks statements until it is released', async () => {
  expect(await resultOf('hold')).toEqual([
    { atMs: 300, code: '55P03', message: 'canceling statement due to lock timeout' },
    { atMs: 400, code: null },
    400,
  ]);
});
