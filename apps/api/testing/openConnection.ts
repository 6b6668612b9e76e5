import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { Connection } from '../src/sockets/connection.ts';
import { SocketClient } from './socketClient.ts';

type Admitted = ConstructorParameters<typeof Connection>[0];

const partner = { id: 'ptn_1' } as Admitted['caller']['partner'];
/** A partner with its key. */
const admittedPartner: Admitted = {
  gateway: 'partner',
  caller: { kind: 'partner', partner },
  audience: { kind: 'partner', partnerId: partner.id },
  token: null,
  keyText: null,
};

/** Clients over real sockets, and their connections as a gateway keeps them. */
export class ConnectionServer {
  readonly #server = new WebSocketServer({ port: 0, host: '127.0.0.1' });

  async open(
    options: { readonly autoPong?: boolean; readonly admitted?: Partial<Admitted> } = {},
  ): Promise<{ readonly client: SocketClient; readonly connection: Connection; readonly socket: WebSocket }> {
    if (this.#server.address() === null) await once(this.#server, 'listening');
    const { port } = this.#server.address() as AddressInfo;
    const connecting = once(this.#server, 'connection');
    const client = new SocketClient(`ws://127.0.0.1:${port}`, { autoPong: options.autoPong ?? true });
    const [socket, request]: [WebSocket, { readonly socket: never }] = (await connecting) as never;
    const connection = new Connection({ ...admittedPartner, ...options.admitted }, socket, request.socket);
    await client.opened();
    return { client, connection, socket };
  }

  close(): void {
    for (const socket of this.#server.clients) socket.terminate();
    this.#server.close();
  }
}
