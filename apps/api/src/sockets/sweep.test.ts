import { sampleNowMs } from '@core/position/testing';
import { fixedClock } from '@core/runtime/testing';
import { closeCodes, socketLimits } from '@core/wire';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ConnectionServer } from '../../testing/openConnection.ts';
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
