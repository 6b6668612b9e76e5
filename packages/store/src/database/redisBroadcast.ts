import { createClient } from 'redis';
import type { Broadcast } from './broadcast.ts';

const reconnectDelayMs = 500;
/** Longest wait for an answer: a caller has its result already and only passes the word on. */
const publishTimeoutMs = 1_000;

/**
 * Messages by Redis or Valkey, under names of this service's own. The client reconnects by itself and subscribes again;
 * one that cannot reach the server publishes nothing.
 */
export function redisBroadcast(redisUrl: string, prefix: string): Broadcast {
  const options = {
    url: redisUrl,
    disableOfflineQueue: true,
    socket: { reconnectStrategy: () => reconnectDelayMs, connectTimeout: publishTimeoutMs },
  } as const;
  const publisher = createClient(options);
  // The client throws what no one listens to. It reconnects; readers look by themselves meanwhile.
  publisher.on('error', () => undefined);
  let connecting: Promise<unknown> | null = null;
  return {
    async publish(channel, message) {
      connecting ??= publisher.connect();
      await connecting;
      await publisher.publish(`${prefix}:${channel}`, message);
    },
    async subscribe(channel, onMessage) {
      const subscriber = createClient({ ...options, disableOfflineQueue: false });
      subscriber.on('error', () => undefined);
      subscriber.on('ready', () => onMessage(null));
      await subscriber.connect();
      await subscriber.subscribe(`${prefix}:${channel}`, (message) => onMessage(message));
      onMessage(null);
      return {
        close: async () => {
          subscriber.destroy();
        },
      };
    },
    close: async () => {
      if (connecting !== null) publisher.destroy();
    },
  };
}
