import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy that cuts connections in the middle of whatever passes. */
export interface CuttingProxy {
  readonly url: string;
  readonly cutCount: () => number;
  /** From now on connections live. */
  stopCutting(): void;
  close(): Promise<void>;
}

/** Passes bytes on to a port; each connection is cut after so many bytes of answer as `bytesOf` says next. */
export async function startCuttingProxy(targetPort: number, bytesOf: () => number): Promise<CuttingProxy> {
  let cutCount = 0;
  let isCutting = true;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const target = connect(targetPort, '127.0.0.1');
    let left = bytesOf();
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
      left -= chunk.length;
      if (!isCutting || left > 0) {
        client.write(chunk);
        return;
      }
      cutCount += 1;
      // What was on the way arrives in part: the last frame is torn.
      client.write(chunk.subarray(0, Math.max(0, chunk.length + left)), () => client.resetAndDestroy());
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
