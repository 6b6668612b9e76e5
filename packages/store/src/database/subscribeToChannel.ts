import { Client } from 'pg';
import { clientConfigOf } from './sql.ts';

export interface ChannelSubscription {
  close(): Promise<void>;
}

const reconnectDelayMs = 500;

/**
 * Calls `wake` for every notification on a channel and after every reconnect, because notifications sent while the
 * connection was down are lost: the caller reads its table on each call and so misses nothing.
 */
export async function subscribeToChannel(
  databaseUrl: string,
  channel: 'outbox' | 'markets',
  wake: () => void,
): Promise<ChannelSubscription> {
  let client: Client | null = null;
  let isClosed = false;
  let timer: NodeJS.Timeout | null = null;

  const connect = async (): Promise<void> => {
    const next = new Client(clientConfigOf(databaseUrl));
    next.on('notification', wake);
    // `end` follows every error, so it alone schedules the reconnect.
    next.on('error', () => undefined);
    await next.connect();
    await next.query(`LISTEN ${channel}`);
    next.on('end', reconnectLater);
    client = next;
    wake();
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
