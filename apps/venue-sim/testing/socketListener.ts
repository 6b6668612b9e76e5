import { WebSocket } from 'ws';
import type { VenueSim } from '../src/startVenueSim.ts';
import { eventually } from './simHttp.ts';

type Message = ReturnType<typeof JSON.parse>;

/** Socket client that records everything it receives. */
export class SocketListener {
  readonly received: Message[] = [];
  readonly #socket: WebSocket;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data) => {
      const text = String(data);
      const parsed: unknown = text === 'PONG' || text.startsWith('INVALID') ? { event_type: text } : JSON.parse(text);
      this.received.push(...(Array.isArray(parsed) ? parsed : [parsed]));
    });
  }

  static async open(sim: VenueSim, channel: 'market' | 'user', frame: unknown): Promise<SocketListener> {
    const socket = new WebSocket(`${sim.wsUrl}/ws/${channel}`);
    const listener = new SocketListener(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    socket.send(JSON.stringify(frame));
    socket.send('PING');
    await listener.waitFor((message) => message.event_type === 'PONG');
    return listener;
  }

  /** Wait for the first matching message. */
  waitFor(fits: (message: Message) => boolean): Promise<Message> {
    return eventually(
      () => this.received.find(fits),
      (message) => message !== undefined,
    );
  }

  /** Discard the received messages. */
  clear(): void {
    this.received.length = 0;
  }

  close(): void {
    this.#socket.close();
  }
}
