import { connect, type Socket } from 'node:net';
import { basePath, gateways, socketBasePath } from '@core/wire';

/** Target of a stranger, and its own credential. */
export interface Target {
  readonly port: number;
  /** `Bearer …` of a wallet of the stranger's. */
  readonly authorization: string;
  /** Loopback address the stranger calls from. */
  readonly from: string;
}

/** One way of being slow. */
export interface Slowness {
  readonly name: string;
  /** Connections that are slow at once. */
  readonly count: number;
  /** Text each connection sends, and then nothing. */
  readonly opening: (target: Target) => string;
  /** Text each connection continues to send, piece by piece. */
  readonly trickle?: string;
  /** False for a client that never takes what it is sent. */
  readonly reads: boolean;
  /** True where the service ends the connections by itself. */
  readonly isEnded: boolean;
}

const trickleMs = 50;
/** Text that means nothing between requests: sending it shows a client that does not read whether it was cut off. */
const probe = '\r\n';

function head(line: string, headers: Readonly<Record<string, string>>): string {
  const all = { Host: '127.0.0.1', ...headers };
  return `${line} HTTP/1.1\r\n${Object.entries(all)
    .map(([name, text]) => `${name}: ${text}\r\n`)
    .join('')}\r\n`;
}

const handshake = (path: string, headers: Readonly<Record<string, string>>): string =>
  head(`GET ${socketBasePath}${path}`, {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    ...headers,
  });

const posted = (headers: Readonly<Record<string, string>>): string => head(`POST ${basePath}/quotes`, headers);
const missing = { 'Content-Type': 'application/json', 'Content-Length': '500' };
const slow = { reads: true, isEnded: true } as const;

/** Every way in which HTTP and WebSocket allow a client to be slow, with a credential and without. */
export const slownesses: readonly Slowness[] = [
  { ...slow, name: 'connections that send nothing', count: 150, opening: () => '' },
  {
    ...slow,
    name: 'headers that never end',
    count: 150,
    opening: () => `GET ${basePath}/markets HTTP/1.1\r\nHost: a\r\n`,
  },
  { ...slow, name: 'headers that trickle', count: 50, opening: () => 'GET / HTTP/1.1\r\n', trickle: 'A: b\r\n' },
  {
    ...slow,
    name: 'a body that never comes, of a user',
    count: 300,
    opening: ({ authorization }) => posted({ ...missing, Authorization: authorization }),
  },
  { ...slow, name: 'a body that never comes, without a credential', count: 300, opening: () => posted(missing) },
  {
    ...slow,
    name: 'a body that never comes, with a wrong credential',
    count: 300,
    opening: () => posted({ ...missing, Authorization: 'Bearer wrong' }),
  },
  {
    ...slow,
    name: 'a body that trickles',
    count: 100,
    opening: ({ authorization }) => posted({ ...missing, Authorization: authorization }),
    trickle: ' ',
  },
  {
    ...slow,
    name: 'chunks that trickle',
    count: 100,
    opening: ({ authorization }) => posted({ 'Transfer-Encoding': 'chunked', Authorization: authorization }),
    trickle: '1\r\n \r\n',
  },
  {
    ...slow,
    name: 'a body that waits for leave to be sent',
    count: 100,
    opening: ({ authorization }) => posted({ ...missing, Expect: '100-continue', Authorization: authorization }),
  },
  {
    ...slow,
    name: 'a read with a body that never comes',
    count: 300,
    opening: ({ authorization }) => head(`GET ${basePath}/markets`, { ...missing, Authorization: authorization }),
  },
  {
    name: 'pipelined requests of a user, never read',
    count: 8,
    reads: false,
    isEnded: true,
    opening: ({ authorization }) => head(`GET ${basePath}/markets`, { Authorization: authorization }).repeat(200),
  },
  {
    name: 'pipelined requests without a credential, never read',
    count: 10,
    reads: false,
    isEnded: true,
    opening: () => head(`GET ${basePath}/contract-info`, {}).repeat(200),
  },
  {
    name: 'pipelined documents, never read',
    count: 10,
    reads: false,
    isEnded: true,
    opening: () => head('GET /openapi.json', {}).repeat(15),
  },
  { ...slow, name: 'handshakes that never end', count: 100, opening: () => handshake('/markets', {}).slice(0, -2) },
  { ...slow, name: 'refused handshakes that stay', count: 100, reads: false, opening: () => handshake('/markets', {}) },
  {
    name: 'sockets that never read',
    count: 20,
    trickle: '',
    reads: false,
    isEnded: false,
    opening: ({ authorization }) => handshake(gateways.user.path, { Authorization: authorization }),
  },
  {
    name: 'sockets with a frame that never ends',
    count: 20,
    reads: true,
    isEnded: false,
    opening: ({ authorization }) => `${handshake(gateways.user.path, { Authorization: authorization })}\x01`,
  },
];

/** A stranger that is slow in one way. */
export interface Stranger {
  /** Resolves when the service has ended every connection. */
  readonly ended: Promise<unknown>;
  close(): void;
}

/** Open the connections, and resolve when each is open and has sent its opening. */
export async function beSlow({ count, opening, trickle, reads }: Slowness, target: Target): Promise<Stranger> {
  const sockets = Array.from({ length: count }, () =>
    connect({ port: target.port, host: '127.0.0.1', localAddress: target.from }),
  );
  const ended = Promise.all(sockets.map(closeOf));
  const timers: NodeJS.Timeout[] = [];
  await Promise.all(
    sockets.map(async (socket) => {
      if (reads) socket.resume();
      await new Promise<void>((resolve) => {
        socket.once('connect', resolve);
        socket.once('close', resolve);
      });
      socket.write(opening(target));
      const repeated = trickle ?? (reads ? undefined : probe);
      if (repeated !== undefined) timers.push(setInterval(() => socket.write(repeated), trickleMs));
    }),
  );
  return {
    ended,
    close: () => {
      for (const timer of timers) clearInterval(timer);
      for (const socket of sockets) socket.destroy();
    },
  };
}

function closeOf(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    // What the service does to the connection is the subject: a reset is an end like any other.
    socket.on('error', () => undefined);
    socket.once('end', () => resolve());
    socket.once('close', () => resolve());
  });
}
