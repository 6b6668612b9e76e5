import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { sampleNowMs } from '@core/position/testing';
import { fixedClock } from '@core/runtime/testing';
import { closeCodes, socketLimits } from '@core/wire';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { SocketClient } from '../../testing/socketClient.ts';
import type { PartnerCaller } from '../auth/authenticate.ts';
import { Connection } from './connection.ts';
import { Connections } from './connections.ts';
import { sweep } from './sweep.ts';

let server: WebSocketServer;
beforeEach(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
});
afterEach(() => {
  for (const socket of server.clients) socket.terminate();
  server.close();
});

const caller = { kind: 'partner', partner: { id: 'ptn_1' } } as PartnerCaller;

/** A client over a real socket, and its connection as the gateway keeps it. */
async function opened(options: { readonly answersPings: boolean }) {
  const { port } = server.address() as AddressInfo;
  const connecting = once(server, 'connection');
  const client = new SocketClient(`ws://127.0.0.1:${port}`, { autoPong: options.answersPings });
  const [socket, request]: [WebSocket, { readonly socket: never }] = (await connecting) as never;
  const audience = { kind: 'partner', partnerId: 'ptn_1' } as const;
  const admitted = { gateway: 'partner', caller, audience, expiresAtMs: null, keyText: null } as const;
  const connection = new Connection(admitted, socket, request.socket);
  socket.on('pong', () => {
    connection.heardAtMs = performance.now() + socketLimits.pingIntervalMs;
  });
  await client.opened();
  return { client, connection };
}

test('a client that answers no ping is idle and ends with 4408; one that answers stays', async () => {
  const connections = new Connections();
  const [silent, alive] = [await opened({ answersPings: false }), await opened({ answersPings: true })];
  for (const { connection } of [silent, alive]) connections.add(connection);
  const startedMs = performance.now();
  const callers = { identify: () => Promise.reject(new Error('no key is open')) };
  const sweepAfter = (spanMs: number): Promise<void> =>
    sweep(connections, { clock: fixedClock(sampleNowMs), callers, runningMs: startedMs + spanMs });
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
