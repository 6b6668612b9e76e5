import { WebSocket } from 'ws';
import type { VenueSim } from '../src/startVenueSim.ts';
import { eventually } from './simHttp.ts';

type Message = ReturnType<typeof JSON.parse>;

/** A socket client that keeps everything it hears. */
export class SocketEar {
  readonly heard: Message[] = [];
  readonly #socket: WebSocket;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data) => {
      const text = String(data);
      const parsed: unknown = text === 'PONG' || text.startsWith('INVALID') ? { event_type: text } : JSON.parse(text);
      this.heard.push(...(Array.isArray(parsed) ? parsed : [parsed]));
    });
  }

  static async open(sim: VenueSim, channel: 'market' | 'user', frame: unknown): Promise<SocketEar> {
    const socket = new WebSocket(`${sim.wsUrl}/ws/${channel}`);
    const ear = new SocketEar(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    socket.send(JSON.stringify(frame));
    socket.send('PING');
    await ear.hear((message) => message.event_type === 'PONG');
    return ear;
  }

  /** The first message that fits, waited for. */
  hear(fits: (message: Message) => boolean): Promise<Message> {
    return eventually(
      () => this.heard.find(fits),
      (message) => message !== undefined,
    );
  }

  /** Forgets what was heard so far. */
  forget(): void {
    this.heard.length = 0;
  }

  close(): void {
    this.#socket.close();
  }
}
