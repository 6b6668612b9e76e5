import type { WebSocket } from 'ws';

/** Maximum bytes buffered for a slow client before it is disconnected. */
const maximumBacklogBytes = 1_048_576;

/** Send a message, or disconnect a client that does not read. */
export function sendTo(socket: WebSocket, message: unknown): void {
  if (socket.bufferedAmount > maximumBacklogBytes) socket.terminate();
  else socket.send(JSON.stringify(message));
}
