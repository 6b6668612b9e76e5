import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** The way to a database, on which answers may be lost. */
export interface ForgetfulProxy {
  /** The same database by this way. */
  readonly databaseUrl: string;
  /** Ends the connection as soon as the server has answered once more, and keeps the answer. */
  forgetNextAnswer(): void;
  /** While true, no answer comes through and no connection ends: as when the way leads nowhere any more. */
  isSilent: boolean;
  close(): Promise<void>;
}

export async function startForgetfulProxy(databaseUrl: string): Promise<ForgetfulProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isForgetting = false;
  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname);
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => [client, database].map((end) => end.destroy()));
    }
    client.on('data', (chunk) => database.write(chunk));
    database.on('data', (chunk) => {
      if (proxy.isSilent) return;
      if (!isForgetting) client.write(chunk);
      else client.destroy();
      isForgetting = false;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = new URL(databaseUrl);
  url.port = String(address !== null && typeof address === 'object' ? address.port : 0);
  const proxy = {
    databaseUrl: url.href,
    isSilent: false,
    forgetNextAnswer: () => {
      isForgetting = true;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}
