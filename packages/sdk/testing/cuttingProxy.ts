import { connect, createServer, type Socket } from 'node:net';

/** TCP proxy that cuts connections in the middle of a transfer. */
export interface CuttingProxy {
  readonly url: string;
  readonly cutCount: () => number;
  /** Stop cutting: new connections live. */
  stopCutting(): void;
  close(): Promise<void>;
}

/** Forward to a port; each connection is cut after the next number of response bytes from `bytesOf`. */
export async function startCuttingProxy(targetPort: number, bytesOf: () => number): Promise<CuttingProxy> {
  let cutCount = 0;
  let isCutting = true;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const target = connect(targetPort, '127.0.0.1');
    let remainingBytes = bytesOf();
    for (const socket of [client, target]) {
      open.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        open.delete(socket);
        client.destroy();
        target.destroy();
      });
    }
    client.pipe(target);
    target.on('data', (chunk) => {
      remainingBytes -= chunk.length;
      if (!isCutting || remainingBytes > 0) {
        client.write(chunk);
        return;
      }
      cutCount += 1;
      // Data in transit arrives in part: the last frame is torn.
      client.write(chunk.subarray(0, Math.max(0, chunk.length + remainingBytes)), () => client.resetAndDestroy());
      target.destroy();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    cutCount: () => cutCount,
    stopCutting: () => {
      isCutting = false;
    },
    close: () => {
      for (const socket of open) socket.destroy();
      return new Promise((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}
