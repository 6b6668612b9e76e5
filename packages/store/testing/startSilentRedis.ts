import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

/** The part of Redis that the store speaks to, which falls silent at will: a real one would have to be stopped. */
export interface SilentRedis {
  readonly url: string;
  /** While true, connections are accepted and commands read, and nothing is answered. */
  isSilent: boolean;
  close(): Promise<void>;
}

const bulk = (text: string): string => `$${Buffer.byteLength(text)}\r\n${text}\r\n`;

export async function startSilentRedis(): Promise<SilentRedis> {
  const points = new Map<string, number>();
  const listeners = new Map<Socket, Set<string>>();
  const replyTo = (socket: Socket, [command = '', ...values]: readonly string[]): string => {
    const [first = '', second = ''] = values;
    switch (command.toUpperCase()) {
      case 'HELLO':
        return `%1\r\n${bulk('proto')}:3\r\n`;
      case 'PING':
        return '+PONG\r\n';
      case 'EVAL': {
        const [key = '', windowMs = ''] = values.slice(2);
        points.set(key, (points.get(key) ?? 0) + 1);
        return `*2\r\n:${points.get(key)}\r\n:${windowMs}\r\n`;
      }
      case 'SUBSCRIBE':
        listeners.get(socket)?.add(first);
        return `>3\r\n${bulk('subscribe')}${bulk(first)}:1\r\n`;
      case 'PUBLISH':
        for (const [listener, channels] of listeners) {
          if (channels.has(first)) listener.write(`>3\r\n${bulk('message')}${bulk(first)}${bulk(second)}`);
        }
        return ':1\r\n';
      default:
        return '+OK\r\n';
    }
  };
  const server = createServer((socket) => {
    listeners.set(socket, new Set());
    let unread = '';
    socket.on('data', (chunk) => {
      if (redis.isSilent) return;
      unread += chunk.toString();
      for (let command = commandOf(unread); command !== null; command = commandOf(unread)) {
        unread = unread.slice(command.length);
        socket.write(replyTo(socket, command.words));
      }
    });
    socket.on('error', () => undefined);
    socket.on('close', () => listeners.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const redis = {
    url: `redis://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`,
    isSilent: false,
    close: async () => {
      for (const socket of listeners.keys()) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return redis;
}

/** `*2 $4 PING $1 x`, each on its line; null while some of it is still to come. */
function commandOf(text: string): { readonly words: readonly string[]; readonly length: number } | null {
  const lines = text.split('\r\n');
  const wordCount = Number(lines[0]?.slice(1));
  const end = 1 + 2 * wordCount;
  if (text === '' || lines.length <= end) return null;
  const words = lines.slice(1, end).filter((_, index) => index % 2 === 1);
  return { words, length: lines.slice(0, end).join('\r\n').length + 2 };
}
