import { expect, test } from 'vitest';
import { runScenario } from './runScenario.ts';

const program = new URL('./locks.scenario.ts', import.meta.url);
const resultOf = async (name: string): Promise<unknown> => (await runScenario(program, name)).result;

test('slow statement: takes no virtual time and does not count as blocked', async () => {
  expect(await resultOf('slow')).toEqual({ ms: 0, blocked: 0 });
});

test('deadlock: fails the statement that closes the circle, in its instant', async () => {
  expect(await resultOf('deadlock')).toEqual({ first: null, second: '40P01', atMs: 50 });
});

test('waiters of one row: continue in the order of the server', async () => {
  expect(await resultOf('queue')).toEqual(['a', 'b', 'c', 'd']);
});

test('waiters that one transaction releases together: two runs are equal', async () => {
  const [first, second] = [await runScenario(program, 'together'), await runScenario(program, 'together')];
  expect(first.result).toEqual([null, '23505', '23505', '23505', '23505']);
  expect(second).toEqual(first);
});

test('death of a program: its advisory locks fall when the end of its connection arrives', async () => {
  // One latency to the server, one from it.
  expect(await resultOf('death')).toBe(500);
});

test('death of a blocked program: its statement runs once it is released, and its session ends', async () => {
  expect(await resultOf('deathWhileBlocked')).toEqual({ count: 2, sessions: 1 });
});

test('requests behind a blocked one: run after it', async () => {
  expect(await resultOf('pipeline')).toEqual([
    { atMs: 40, code: null },
    { atMs: 40, code: null },
  ]);
});
