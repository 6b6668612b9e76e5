import { expect, test } from 'vitest';
import { runScenario } from './runScenario.ts';

const program = new URL('./notifications.scenario.ts', import.meta.url);

test('notifications: arrive with the answer of the commit, whatever statement sent them', async () => {
  const { result } = await runScenario(program, 'delivery');
  const { received, sent } = result as { readonly received: readonly [string, string][]; readonly sent: string[] };
  expect(received.map(([, payload]) => payload)).toEqual([
    'function',
    'with',
    'transaction',
    'block',
    'several',
    'named',
  ]);
  expect(received.map(([atMs]) => atMs)).toEqual(sent);
});

test('notifications to a listener in a transaction: arrive after its end, and UNLISTEN ends them', async () => {
  expect((await runScenario(program, 'inTransaction')).result).toEqual({ before: 0, after: 1, pings: 0 });
});

test('notification of a blocked writer: arrives when its transaction is released', async () => {
  const { result } = await runScenario(program, 'blockedWriter');
  const { received, atMs } = result as { readonly received: readonly string[]; readonly atMs: string };
  expect(received).toEqual([`${atMs} late`]);
});
