import { createServer } from 'node:net';
import * as fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { startLocalServer, until } from '../../testing/localServers.ts';
import { backoffMsOf, type DisconnectReason, defaultSocketTiming, ReconnectingSocket } from './reconnectingSocket.ts';

const endings: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) {
    await end();
  }
});

/** Quick, but for the limits that a connection reaches by itself on a busy machine. */
const fast = {
  pingIntervalMs: 20,
  silenceMs: 60_000,
  handshakeTimeoutMs: 60_000,
  minBackoffMs: 10,
  maxBackoffMs: 40,
};

const connect = (url: string, timing: Partial<typeof fast> = {}) => {
  const log = { opened: 0, texts: [] as string[], reasons: [] as DisconnectReason[] };
  const socket = new ReconnectingSocket({
    url,
    timing: { ...fast, ...timing },
    random: () => 0.5,
    onOpen: (send) => {
      log.opened += 1;
      send(`hello ${log.opened}`);
    },
    onText: (text) => log.texts.push(text),
    onDisconnect: (reason) => log.reasons.push(reason),
  });
  endings.push(() => socket.close());
  return { socket, seen: log };
};

const serve = async (options: Parameters<typeof startLocalServer>[0] = {}) => {
  const server = await startLocalServer(options);
  endings.push(() => server.close());
  return server;
};

describe('backoff', () => {
  test('grows from the first wait to the longest, half of it certain', () => {
    fc.assert(
      fc.property(fc.nat({ max: 1_000 }), fc.double({ min: 0, max: 0.999, noNaN: true }), (attempt, random) => {
        const waitMs = backoffMsOf(defaultSocketTiming, attempt, random);
        expect(waitMs).toBeGreaterThanOrEqual(defaultSocketTiming.minBackoffMs / 2);
        expect(waitMs).toBeLessThanOrEqual(defaultSocketTiming.maxBackoffMs);
        expect(backoffMsOf(defaultSocketTiming, attempt + 1, random)).toBeGreaterThanOrEqual(waitMs);
      }),
    );
  });
});

test('sends a text PING on time and hides PONG and binary frames', async () => {
  const server = await serve({
    onFrame: (socket, text) => {
      socket.send(text === 'PING' ? 'PONG' : 'news');
      socket.send(Buffer.from([1, 2, 3]));
    },
  });
  const { seen } = connect(server.wsUrl);
  await until(() => server.frames.filter((frame) => frame === 'PING').length >= 3);
  expect(server.frames[0]).toBe('hello 1');
  expect(seen).toMatchObject({ texts: ['news'], reasons: [] });
});

test('reconnects after a disconnect', async () => {
  const server = await serve({ onConnection: (socket) => socket.send('news') });
  const { socket, seen } = connect(server.wsUrl);
  await until(() => seen.texts.length === 1);
  for (const open of server.sockets) {
    open.terminate();
  }
  await until(() => seen.opened === 2 && socket.state === 'open');
  expect(seen.reasons).toEqual(['lost']);
});

test('closes a silent connection, also without answers to PING', async () => {
  const server = await serve();
  const { seen } = connect(server.wsUrl, { silenceMs: 100 });
  await until(() => seen.reasons.length >= 2);
  expect(new Set(seen.reasons)).toEqual(new Set(['silent']));
  expect(seen.opened).toBeGreaterThanOrEqual(2);
});

test('keeps trying while no server listens, waiting longer each time', async () => {
  const probe = await serve();
  const url = probe.wsUrl;
  await probe.close();
  const { socket, seen } = connect(url);
  await until(() => seen.reasons.length >= 4);
  expect(socket.state).not.toBe('open');
  expect(seen.opened).toBe(0);
});

test('a server without a handshake is closed after the timeout', async () => {
  const mute = createServer((line) => line.resume());
  await new Promise<void>((done) => mute.listen(0, '127.0.0.1', done));
  endings.push(() => new Promise<void>((done) => mute.close(() => done())));
  const address = mute.address();
  const { seen } = connect(`ws://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, {
    handshakeTimeoutMs: 200,
  });
  await until(() => seen.reasons.length >= 1);
  expect(seen.opened).toBe(0);
});

test('reconnect gives up a connection that stands still', async () => {
  const server = await serve({ onFrame: (socket) => socket.send('PONG') });
  const { socket, seen } = connect(server.wsUrl);
  await until(() => socket.state === 'open');
  socket.reconnect();
  await until(() => seen.opened === 2);
  expect(seen.reasons).toEqual(['frozen']);
});

test('after close: no activity from any state', async () => {
  const server = await serve({ onFrame: (socket) => socket.send('news') });
  const { socket, seen } = connect(server.wsUrl);
  socket.close();
  await new Promise((done) => setTimeout(done, 80));
  expect(seen).toMatchObject({ opened: 0, reasons: [] });
  expect(socket.send('late')).toBe(false);
  expect(socket.state).toBe('closed');
});
