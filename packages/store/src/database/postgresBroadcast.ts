import type { Client } from 'pg';
import type { Broadcast, Channel, Subscription } from './broadcast.ts';
import { openSession } from './session.ts';
import type { Sql, Statement } from './sql.ts';

const reconnectDelayMs = 500;

const notify: Statement = { name: 'broadcast_notify', text: 'SELECT pg_notify($1, $2)' };

/** Messages by LISTEN and NOTIFY: of at most 8,000 bytes, and sent when the transaction commits. */
export function postgresBroadcast(databaseUrl: string, sql: Sql): Broadcast {
  return {
    async publish(channel, message) {
      await sql.row(notify, [channel, message]);
    },
    subscribe: (channel, onMessage) => listen(databaseUrl, channel, onMessage),
  };
}

/** A connection of its own for each channel, opened again whenever it ends. */
async function listen(
  databaseUrl: string,
  channel: Channel,
  onMessage: (message: string | null) => void,
): Promise<Subscription> {
  let client: Client | null = null;
  let isClosed = false;
  let timer: NodeJS.Timeout | null = null;

  const connect = async (): Promise<void> => {
    const next = await openSession({ databaseUrl, application_name: `listener of ${channel}` });
    next.on('notification', ({ payload }) => onMessage(payload ?? ''));
    await next.query(`LISTEN ${channel}`);
    next.on('end', reconnectLater);
    client = next;
    onMessage(null);
  };
  const reconnectLater = (): void => {
    if (!isClosed) {
      timer = setTimeout(() => void connect().catch(reconnectLater), reconnectDelayMs);
      timer.unref();
    }
  };
  await connect();
  return {
    close: async () => {
      isClosed = true;
      if (timer !== null) {
        clearTimeout(timer);
      }
      await client?.end();
    },
  };
}
