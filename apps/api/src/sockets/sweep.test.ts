import { sampleNowMs } from '@core/position/testing';
import { fixedClock } from '@core/runtime/testing';
import { closeCodes, socketLimits } from '@core/wire';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ConnectionServer } from '../../testing/openConnection.ts';
import type { Identity } from '../auth/authenticate.ts';
import { TokenKeyRing } from '../auth/tokenKeyRing.ts';
import { readTokenKeys } from '../auth/tokenKeys.ts';
import { UserTokens } from '../auth/userTokens.ts';
import { rotatedTokenKeys } from '../operate/tokenKeyFile.ts';
import { Connections } from './connections.ts';
import { sweep } from './sweep.ts';

let server: ConnectionServer;
beforeEach(() => {
  server = new ConnectionServer();
});
afterEach(() => server.close());

const clock = fixedClock(sampleNowMs);
const noKeys = () => Promise.reject(new Error('no key is open'));

async function opened(autoPong: boolean) {
  const { client, connection, socket } = await server.open({ autoPong });
  socket.on('pong', () => {
    connection.heardAtMs = performance.now() + socketLimits.pingIntervalMs;
  });
  return { client, connection };
}

test('a client that answers no ping is idle and ends with 4408; one that answers stays', async () => {
  const connections = new Connections();
  const [silent, alive] = [await opened(false), await opened(true)];
  for (const { connection } of [silent, alive]) connections.add(connection);
  const startedMs = performance.now();
  const callers = { identify: noKeys, isCurrent: () => true };
  const sweepAfter = (spanMs: number): Promise<void> =>
    sweep(connections, { clock, callers, runningMs: startedMs + spanMs });
  const pings: string[] = [];
  silent.client.socket.on('ping', () => pings.push('silent'));
  alive.client.socket.on('ping', () => pings.push('alive'));

  await sweepAfter(socketLimits.pingIntervalMs - 1_000);
  expect(pings).toEqual([]);
  const heardBeforeMs = alive.connection.heardAtMs;
  await sweepAfter(socketLimits.pingIntervalMs + 1_000);
  await expect.poll(() => pings.toSorted()).toEqual(['alive', 'silent']);
  await expect.poll(() => alive.connection.heardAtMs).toBeGreaterThan(heardBeforeMs);

  await sweepAfter(socketLimits.idleMs + 1_000);
  expect(await silent.client.closed()).toBe(closeCodes.idle.code);
  expect(closeCodes.idle.code).toBe(4408);
  expect([alive.connection.isOpen, alive.client.closeCode]).toEqual([true, null]);
});

test('a client that sends and never reads, so that it answers no ping: ends with 4409; one that answers stays', async () => {
  const connections = new Connections();
  const [deaf, alive] = [await opened(false), await opened(true)];
  for (const { connection } of [deaf, alive]) connections.add(connection);
  const startedMs = performance.now();
  const callers = { identify: noKeys, isCurrent: () => true };
  const sweepAfter = async (spanMs: number): Promise<void> => {
    // Both were heard of a moment ago: what counts is an answer to what was sent.
    for (const { connection } of [deaf, alive]) connection.heardAtMs = startedMs + spanMs;
    await sweep(connections, { clock, callers, runningMs: startedMs + spanMs });
  };
  await sweepAfter(socketLimits.pingIntervalMs + 1_000);
  // An answer that repeats no ping shows nothing.
  deaf.client.socket.pong('guessed');
  await expect.poll(() => alive.connection.unreadForMs(startedMs + socketLimits.idleMs)).toBe(0);
  await sweepAfter(socketLimits.idleMs + 1_000);
  expect(await deaf.client.closed()).toBe(closeCodes.slowReader.code);
  expect([alive.connection.isOpen, alive.client.closeCode]).toEqual([true, null]);
});

test.each([0, 1, 2])(
  'of three keys the one at %d cannot be checked: a revoked one ends its connection',
  async (bad) => {
    const connections = new Connections();
    const keyTexts = ['Api-Key a', 'Api-Key b', 'Api-Key c'];
    const all: Awaited<ReturnType<typeof server.open>>[] = [];
    for (const keyText of keyTexts) all.push(await server.open({ admitted: { keyText } }));
    for (const { connection } of all) connections.add(connection);
    const failure = new Error('the row cannot be read');
    const identify = (keyText: string | undefined): Promise<Identity> =>
      keyText === keyTexts[bad] ? Promise.reject(failure) : Promise.resolve({ kind: 'none', fault: 'revoked' });
    const callers = { identify, isCurrent: () => true };
    await expect(sweep(connections, { clock, callers, runningMs: performance.now() })).rejects.toBe(failure);
    const ended = all.filter((_, index) => index !== bad);
    const codes = await Promise.all(ended.map(({ client }) => client.closed()));
    expect(codes).toEqual([closeCodes.badToken.code, closeCodes.badToken.code]);
    expect(all[bad]?.connection.isOpen).toBe(true);
  },
);

test('a token whose signing key was withdrawn ends its connections, as it ends its requests', async () => {
  const [older, newer] = [rotatedTokenKeys(null), rotatedTokenKeys(null)];
  const ring = new TokenKeyRing(await readTokenKeys(older));
  const tokens = new UserTokens({ keys: ring, environment: 'sandbox', clock });
  const { token: text } = await tokens.issue({ partnerId: 'ptn_1', walletAddress: '0x1' });
  const token = await tokens.verify(text);
  if (typeof token === 'string') throw new Error(`the token is good: ${token}`);
  const { client, connection } = await server.open({ admitted: { token } });
  const connections = new Connections();
  connections.add(connection);
  const callers = { identify: noKeys, isCurrent: (held: typeof token) => tokens.isCurrent(held) };
  const sweepNow = (): Promise<void> => sweep(connections, { clock, callers, runningMs: performance.now() });

  await sweepNow();
  expect(connection.isOpen).toBe(true);
  ring.replace(await readTokenKeys(newer));
  await sweepNow();
  expect(await client.closed()).toBe(closeCodes.badToken.code);
});
