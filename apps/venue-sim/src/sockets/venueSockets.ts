import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { MarketChannel } from './marketChannel.ts';
import { UserChannel } from './userChannel.ts';

/** Channel of one path, which receives every frame of its connections. */
interface SocketChannel {
  open?(socket: WebSocket): void;
  onFrame(socket: WebSocket, frame: string): void;
  drop(socket: WebSocket): void;
}

/** Channels of the venue's world: reference prices and games, once a second. */
export interface WorldChannel extends SocketChannel {
  tick(): void;
}

/** The venue's sockets on its HTTP servers. */
export interface VenueSockets {
  readonly market: MarketChannel;
  readonly user: UserChannel;
  /** Serve a channel of the world at a path. */
  serve(path: string, channel: WorldChannel): void;
  /** Send the messages of this second on the channels of the world. */
  tick(): void;
  attach(server: Server): void;
  close(): void;
}

/** Maximum size of a subscription frame, bytes. */
const maximumFrameBytes = 1_048_576;

/** Connect a client to a channel. `PING` is answered with `PONG`; other frames are passed to the channel. */
function admit(socket: WebSocket, onFrame: (frame: string) => void): void {
  socket.on('message', (data) => {
    const frame = String(data);
    if (frame.trim() === 'PING') socket.send('PONG');
    else onFrame(frame);
  });
  // A client that disconnects in the middle of a frame is not a fault of the venue.
  socket.on('error', () => socket.terminate());
}

export function venueSockets(): VenueSockets {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maximumFrameBytes });
  const market = new MarketChannel();
  const user = new UserChannel();
  const world = new Map<string, WorldChannel>();
  const channelOf = (path: string): SocketChannel | undefined =>
    path === '/ws/market' ? market : path === '/ws/user' ? user : world.get(path);
  const upgrade = (request: IncomingMessage, stream: Duplex, head: Buffer): void => {
    const { pathname } = new URL(request.url ?? '/', 'http://venue');
    const channel = channelOf(pathname);
    if (channel === undefined) {
      stream.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, stream, head, (socket) => {
      admit(socket, (frame) => channel.onFrame(socket, frame));
      channel.open?.(socket);
      socket.on('close', () => channel.drop(socket));
    });
  };
  return {
    market,
    user,
    serve: (path, channel) => {
      world.set(path, channel);
    },
    tick: () => {
      for (const channel of world.values()) channel.tick();
    },
    attach: (server) => {
      server.on('upgrade', upgrade);
    },
    close: () => {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
    },
  };
}
