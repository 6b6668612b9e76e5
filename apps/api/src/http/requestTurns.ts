import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ProcessLimits } from '../processLimits.ts';
import type { ConnectionGate } from './connectionGate.ts';

type Exchange = readonly [IncomingMessage, ServerResponse];

interface Turns {
  current: ServerResponse | null;
  readonly waiting: Exchange[];
}

export interface TurnOptions {
  readonly handle: RequestListener;
  readonly gate: Pick<ConnectionGate, 'markBusy' | 'markSilent' | 'endSilent' | 'leave'>;
  readonly limits: Pick<ProcessLimits, 'requestsWaiting' | 'answerMs' | 'drainMs'>;
}

/**
 * Handles one request of a connection at a time, and the next when the answer has been taken. So a client that
 * pipelines requests, or never reads its answers, occupies its own connection and nothing else. An answer that is not
 * taken in time ends the connection, and so do more pipelined requests than may wait.
 */
export class RequestTurns {
  readonly #options: TurnOptions;
  readonly #turns = new Map<Socket, Turns>();
  #isDraining = false;

  constructor(options: TurnOptions) {
    this.#options = options;
  }

  attach(server: Server): void {
    server.on('request', (request, response) => this.#receive(request, response));
  }

  /** True while a request of the connection is being handled: nothing else may be written to it. */
  isBusy(socket: Socket): boolean {
    return (this.#turns.get(socket)?.current ?? null) !== null;
  }

  /**
   * Wait for the requests under way: each answer closes its connection, and connections without one are closed at once.
   * @returns Resolves when all have ended, or after `drainMs`.
   */
  async drain(server: Server): Promise<void> {
    this.#isDraining = true;
    for (const { current } of this.#turns.values()) if (current !== null) closeAfter(current);
    const closing = new Promise<void>((resolve) => server.close(() => resolve()));
    this.#options.gate.endSilent();
    const deadline = setTimeout(() => server.closeAllConnections(), this.#options.limits.drainMs);
    await closing;
    clearTimeout(deadline);
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const turns = this.#turnsOf(socket);
    if (turns.current === null) this.#begin(turns, [request, response]);
    else if (turns.waiting.length < this.#options.limits.requestsWaiting) turns.waiting.push([request, response]);
    else socket.destroy();
  }

  #turnsOf(socket: Socket): Turns {
    const queue = this.#turns.get(socket);
    if (queue !== undefined) return queue;
    const turns: Turns = { current: null, waiting: [] };
    this.#turns.set(socket, turns);
    socket.once('close', () => this.#turns.delete(socket));
    return turns;
  }

  #begin(turns: Turns, [request, response]: Exchange): void {
    const { handle, gate, limits } = this.#options;
    const { socket } = request;
    turns.current = response;
    gate.markBusy(socket);
    if (this.#isDraining) closeAfter(response);
    const deadline = setTimeout(() => socket.destroy(), limits.answerMs);
    // The answer is complete here and may still have to be read by the client.
    response.once('prefinish', () => gate.markSilent(socket));
    response.once('close', () => {
      clearTimeout(deadline);
      this.#end(turns, socket);
    });
    handle(request, response);
  }

  #end(turns: Turns, socket: Socket): void {
    turns.current = null;
    const next = turns.waiting.shift();
    if (socket.destroyed) return;
    if (next !== undefined) this.#begin(turns, next);
    else if (this.#isDraining) socket.destroySoon();
  }
}

/** End the connection after this answer, as far as its headers have not left. */
function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
