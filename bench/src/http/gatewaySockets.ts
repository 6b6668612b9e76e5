import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Connection } from '@core/api';
import { partnerTermsOf } from '@core/policy';
import { type WebSocket, WebSocketServer } from 'ws';

const readers = fileURLToPath(new URL('./servers/socketReaders.ts', import.meta.url));

export interface OpenedSocket {
  readonly socket: WebSocket;
  readonly stream: Duplex;
  readonly connection: Connection;
}

/** Connections of readers in other processes to the service. */
export interface GatewaySockets {
  readonly opened: readonly OpenedSocket[];
  /** Open further connections. */
  open(count: number): Promise<void>;
  close(): Promise<void>;
}

export async function startGatewaySockets(): Promise<GatewaySockets> {
  const server = createServer();
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  const connections: OpenedSocket[] = [];
  const children: ChildProcess[] = [];
  const partner = {
    id: 'ptn_1',
    name: 'bench',
    environment: 'sandbox',
    terms: partnerTermsOf(),
    createdAtMs: 0,
  } as const;
  server.on('upgrade', (request, stream, head) => {
    sockets.handleUpgrade(request, stream, head, (socket) => {
      const admitted = {
        gateway: 'partner',
        caller: { kind: 'partner', partner },
        audience: { kind: 'partner', partnerId: partner.id },
        token: null,
        keyText: null,
      } as const;
      const connection = new Connection(admitted, socket, stream);
      void connection.endJoin(null);
      connections.push({ socket, stream, connection });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = Number(Object(server.address()).port);
  return {
    opened: connections,
    async open(count) {
      const child = spawn(process.execPath, [readers, String(port), String(count)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      children.push(child);
      if (child.stdout === null) throw new Error('the readers have no output');
      await once(child.stdout, 'data');
    },
    async close() {
      for (const child of children) child.kill();
      for (const socket of sockets.clients) socket.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
