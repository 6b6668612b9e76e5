import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** The way to a database, on which answers may be lost. */
export interface ForgetfulProxy {
  /** The same database by this way. */
  readonly databaseUrl: string;
  /** Drop the next answer of the server and end the connection. */
  forgetNextAnswer(): void;
  /** While true, no answer comes through and no connection ends: as when the way leads nowhere any more. */
  isSilent: boolean;
  /** While true, nothing goes through either way, no end either: as when a cable is cut. */
  isCut: boolean;
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
      socket.on('close', () => {
        if (!proxy.isCut) for (const end of [client, database]) end.destroy();
      });
    }
    client.on('data', (chunk) => {
      if (!proxy.isCut) database.write(chunk);
    });
    database.on('data', (chunk) => {
      if (proxy.isSilent || proxy.isCut) return;
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
    isCut: false,
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
