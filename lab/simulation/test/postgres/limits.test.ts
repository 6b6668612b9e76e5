import { expect, test } from 'vitest';
import { runScenario } from './runScenario.ts';

const program = new URL('./limits.scenario.ts', import.meta.url);
const resultOf = async (name: string): Promise<unknown> => (await runScenario(program, name)).result;

test('lock_timeout: ends the statement at its virtual instant', async () => {
  expect(await resultOf('lock')).toEqual({
    atMs: 5_100,
    code: '55P03',
    message: 'canceling statement due to lock timeout',
  });
});

test('statement_timeout: ends a blocked statement, and the session continues', async () => {
  expect(await resultOf('statement')).toEqual({
    refused: { atMs: 4_100, code: '57014', message: 'canceling statement due to statement timeout' },
    next: { atMs: 4_100, code: null },
  });
});

test('lock_timeout: counts from the beginning of each wait of a statement', async () => {
  expect(await resultOf('secondWait')).toMatchObject({ atMs: 1_600, code: '55P03' });
});

test('idle_in_transaction_session_timeout: ends the session, and its locks fall', async () => {
  expect(await resultOf('idleTransaction')).toEqual({
    waiting: { atMs: 15_000, code: null },
    ended: 15_000,
    failed: { code: '25P03', message: 'terminating connection due to idle-in-transaction timeout' },
  });
});

test('idle_session_timeout: counts from the last statement, and advisory locks fall', async () => {
  expect(await resultOf('idleSession')).toEqual({
    waiting: { atMs: 15_000, code: null },
    failed: { code: '57P05', message: 'terminating connection due to idle-session timeout' },
  });
});

test('limits of an address: a process that stalls in real time reaches none', async () => {
  expect(await resultOf('stalled')).toEqual({
    granted: { atMs: 150, code: null },
    committed: { atMs: 350, code: null },
  });
});

test('settings: keep their scope, and the client reads its own', async () => {
  expect(await resultOf('scopes')).toEqual({
    shown: [
      [
        { name: 'lock_timeout', setting: '0' },
        { name: 'statement_timeout', setting: '0' },
      ],
      [{ lock_timeout: '70' }],
      [
        { name: 'lock_timeout', setting: '5000' },
        { name: 'statement_timeout', setting: '0' },
      ],
      [{ own: '5s', other: '1ms' }],
    ],
    inside: 70,
    outside: 5_070,
  });
});
