import { expect, test } from 'vitest';
import { runScenario } from './runScenario.ts';

const program = new URL('./protocol.scenario.ts', import.meta.url);
const resultOf = async (name: string): Promise<unknown> => (await runScenario(program, name)).result;

test('request to cancel: ends a blocked statement of its key, and nothing else', async () => {
  expect(await resultOf('cancel')).toMatchObject({
    waiting: { code: '57014', message: 'canceling statement due to user request' },
    next: null,
  });
});

test('request for encryption: is refused before the start', async () => {
  expect(await resultOf('encryption')).toBe('N');
});

test('wrong password: fails the start', async () => {
  expect(await resultOf('failedStart')).toBe('28P01');
});

test('session that another one ends: its client reads the error in the same instant', async () => {
  expect(await resultOf('terminated')).toEqual({ failed: '57P01', ended: 10 });
});

test('end of a client: releases its advisory locks', async () => {
  expect(await resultOf('end')).toBe(true);
});

test('pipelines: answer up to each sync or flush, and skip what follows an error', async () => {
  expect(await resultOf('pipeline')).toEqual(['12DC12DCZ', '12DC1EZ', '12DCZEZ12DCZ', '12DC', '1E', 'Z', 'Z']);
});

test('COPY: reads rows by simple and by extended queries, and writes them', async () => {
  expect(await resultOf('copy')).toEqual(['G', 'CZ', 'HddcCZ', 'G', 'EZ', '12G', 'CZ', 'TDDDCZ']);
});
