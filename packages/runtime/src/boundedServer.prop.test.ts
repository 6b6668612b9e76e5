import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import * as fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { boundedServer, portLimits } from './boundedServer.ts';
import { type Listening, listen } from './listen.ts';
import { startOperationsServer } from './operations.ts';

const closers: (() => Promise<void>)[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const close of closers.splice(0)) await close();
});

/** Large enough that the system does not buffer it all for a client that never reads. */
const metricsText = 'a_total 1\n'.repeat(200_000);

async function startPort(): Promise<Listening> {
  const registry = { contentType: 'text/plain', metrics: async () => metricsText };
  const readiness = () => ({ isReady: true, detail: {} });
  const listening = await startOperationsServer({ registry, readiness }, { port: 0 });
  return listening;
}

interface Slowness {
  readonly opening: string;
  /** Text that each connection continues to send. */
  readonly trickle?: string;
  readonly reads: boolean;
}

const get = 'GET /metrics HTTP/1.1\r\nhost: localhost\r\n\r\n';
const slownesses: Readonly<Record<string, Slowness>> = {
  'sends nothing': { opening: '', reads: true },
  'never ends its headers': { opening: 'GET /metrics HTTP/1.1\r\nhost: a\r\n', reads: true },
  'trickles its headers': { opening: 'GET /metrics HTTP/1.1\r\n', trickle: 'a: b\r\n', reads: true },
  'never sends its body': { opening: 'POST /metrics HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\n', reads: true },
  'trickles its body': {
    opening: 'POST /metrics HTTP/1.1\r\nhost: a\r\ncontent-length: 99999\r\n\r\n',
    trickle: 'a',
    reads: true,
  },
  'never reads': { opening: get, trickle: '\r\n', reads: false },
  'reads and sends empty lines': { opening: get, trickle: '\r\n', reads: true },
  'pipelines and never reads': { opening: get.repeat(500), trickle: '\r\n', reads: false },
  'sends no HTTP': { opening: '\u0000\u0001 hello\r\n\r\n', reads: true },
};

/** Resolve at the end of a connection, a reset included. */
const closeOf = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    socket.on('error', () => undefined);
    socket.once('close', () => resolve());
  });

/** Open slow connections; `ended` resolves when all of them are closed. */
async function beSlow({ url }: Listening, { opening, trickle, reads }: Slowness, count: number) {
  const strangers = Array.from({ length: count }, () => connect(Number(new URL(url).port), '127.0.0.1'));
  sockets.push(...strangers);
  const ended = strangers.map(closeOf);
  await Promise.all(
    strangers.map(async (socket) => {
      await Promise.race([closeOf(socket), new Promise((resolve) => socket.once('connect', resolve))]);
      if (reads) socket.resume();
      socket.write(opening);
      if (trickle === undefined) return;
      const timer = setInterval(() => socket.write(trickle), 100);
      socket.once('close', () => clearInterval(timer));
    }),
  );
  return { ended: Promise.all(ended) };
}

const status = async ({ url }: Listening): Promise<number> => {
  const response = await fetch(`${url}/healthz`, { headers: { connection: 'close' } });
  await response.text();
  return response.status;
};

test('any mixture of slow strangers, more than there are connections: others are answered', async () => {
  const port = await startPort();
  closers.push(() => port.close());
  const mixture = fc.array(fc.constantFrom(...Object.values(slownesses)), { minLength: 1, maxLength: 3 });
  const law = fc.asyncProperty(mixture, async (kinds) => {
    const share = Math.ceil((portLimits.connections.value + 50) / kinds.length);
    for (const kind of kinds) await beSlow(port, kind, share);
    expect(await status(port)).toBe(200);
    for (const socket of sockets.splice(0)) socket.destroy();
  });
  await fc.assert(law, { numRuns: 4 });
});

test('every kind of slow connection is ended by its deadline', async () => {
  const port = await startPort();
  closers.push(() => port.close());
  const strangers = await Promise.all(Object.values(slownesses).map((slowness) => beSlow(port, slowness, 3)));
  expect(await status(port)).toBe(200);
  await Promise.all(strangers.map(({ ended }) => ended));
});

test('a second request before the answer to the first ends the connection; the handler runs once', async () => {
  let count = 0;
  const answered = Promise.withResolvers<undefined>();
  const server = boundedServer((_request, response) => {
    count += 1;
    void answered.promise.then(() => response.end());
  });
  const listening = await listen(server, { port: 0 });
  closers.push(() => listening.close());
  const { ended } = await beSlow(listening, { opening: get.repeat(20), reads: true }, 1);
  await ended;
  expect(count).toBe(1);
  answered.resolve(undefined);
});

test('slow strangers of every kind do not hold up the end', async () => {
  const port = await startPort();
  for (const slowness of Object.values(slownesses)) await beSlow(port, slowness, 3);
  expect(await status(port)).toBe(200);
  await port.close();
});

test('an answer that never ends outlives the deadline of the others where the server says so', async () => {
  const isStream = ({ url }: { readonly url?: string | undefined }) => url === '/stream';
  const server = boundedServer((_request, response) => response.writeHead(200).write('begun'), {
    answerMs: 50,
    isStream,
  });
  const listening = await listen(server, { port: 0 });
  closers.push(() => listening.close());
  const readerOf = async (path: string) => (await fetch(`${listening.url}${path}`)).body?.getReader();
  const [stream, other] = [await readerOf('/stream'), await readerOf('/other')];
  const begun = { done: false, value: new TextEncoder().encode('begun') };
  expect(await stream?.read()).toEqual(begun);
  expect(await other?.read()).toEqual(begun);
  await expect(other?.read()).rejects.toThrow('terminated');
  // The other one, which began later, is over.
  const isOpen = await Promise.race([stream?.read().then(() => false), delay(200).then(() => true)]);
  expect(isOpen).toBe(true);
  await stream?.cancel();
});
