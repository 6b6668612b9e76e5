import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { MarketChannel } from './marketChannel.ts';
import { UserChannel } from './userChannel.ts';

/** The venue's two sockets on one HTTP server. */
export interface VenueSockets {
  readonly market: MarketChannel;
  readonly user: UserChannel;
  attach(server: Server): void;
  close(): void;
}

/** A frame larger than this is no subscription. */
const maximumFrameBytes = 1_048_576;

/** Lets a client in on one of the channels: text `PING` is answered with `PONG`, everything else is the channel's. */
function admit(socket: WebSocket, onFrame: (frame: string) => void): void {
  socket.on('message', (data) => {
    const frame = String(data);
    if (frame.trim() === 'PING') socket.send('PONG');
    else onFrame(frame);
  });
  // A client that goes away in the middle of a frame is no fault of the venue.
  socket.on('error', () => socket.terminate());
}

export function venueSockets(): VenueSockets {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maximumFrameBytes });
  const market = new MarketChannel();
  const user = new UserChannel();
  const upgrade = (request: IncomingMessage, stream: Duplex, head: Buffer): void => {
    const { pathname } = new URL(request.url ?? '/', 'http://venue');
    const channel = pathname === '/ws/market' ? market : pathname === '/ws/user' ? user : null;
    if (channel === null) {
      stream.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, stream, head, (socket) => {
      admit(socket, (frame) => channel.onFrame(socket, frame));
      socket.on('close', () => channel.drop(socket));
    });
  };
  return {
    market,
    user,
    attach: (server) => {
      server.on('upgrade', upgrade);
    },
    close: () => {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
    },
  };
}
