import type { Broadcast } from './broadcast.ts';
import { RedisConnection } from './redisConnection.ts';

/**
 * Messages by Redis or Valkey, under names of this service's own. One that cannot be sent is lost. A subscription that
 * cannot be made is made later, and says so then like any other connection that comes again.
 */
export function redisBroadcast(connection: RedisConnection, prefix: string): Broadcast {
  return {
    async publish(channel, message) {
      await connection.run((client) => client.publish(`${prefix}:${channel}`, message));
    },
    async subscribe(channel, onMessage) {
      const subscriber = new RedisConnection({
        ...connection.options,
        onOpen: async (client) => {
          await client.subscribe(`${prefix}:${channel}`, (message) => onMessage(message));
          onMessage(null);
        },
      });
      await subscriber.attempted;
      return subscriber;
    },
  };
}
