import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Result of a span of load. */
export interface LoadResult {
  readonly answeredCount: number;
  readonly durationMs: number;
  /** Answers by status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Body of the first answer of each failing status. */
  readonly refusals: ReadonlyMap<number, string>;
  /** Milliseconds from the moment a request was due to the end of its answer, sorted. */
  readonly latenciesMs: Float64Array;
  /** Latencies of successful requests alone. */
  readonly servedLatenciesMs: Float64Array;
}

/** Duration and rate of a load. */
export interface LoadShape {
  readonly connectionCount: number;
  readonly durationMs: number;
  /** Requests due per second regardless of answers; null sends the next one after each answer. */
  readonly ratePerSecond: number | null;
}

interface Connection {
  readonly socket: Socket;
  pending: Buffer | null;
  /** Time at which the pending request was due; null while idle. */
  dueAt: number | null;
}

const headerEnd = Buffer.from('\r\n\r\n');
const tickMs = 2;
/** A busy server accepts one new connection per turn of its loop, an idle one all of them in this time. */
const acceptedAfterMs = 500;

/**
 * Load one server over keep-alive connections with little work of its own: requests are prepared bytes, answers are
 * only measured. An open load keeps its rate, so that a slow answer cannot hide those that wait behind it.
 */
export async function applyLoad(target: LoadTarget, shape: LoadShape): Promise<LoadResult> {
  const connections = await Promise.all(Array.from({ length: shape.connectionCount }, () => open(target.port)));
  await delay(acceptedAfterMs);
  const load = new Load(target, connections, shape.ratePerSecond);
  try {
    return await load.run(shape.durationMs);
  } finally {
    for (const { socket } of connections) {
      socket.removeAllListeners('close');
      socket.destroy();
    }
  }
}

interface LoadTarget {
  readonly port: number;
  readonly requestOf: (index: number) => Buffer;
}

class Load {
  readonly #target: LoadTarget;
  readonly #connections: readonly Connection[];
  readonly #ratePerSecond: number | null;
  readonly #statuses = new Map<number, number>();
  readonly #refusals = new Map<number, string>();
  readonly #latenciesMs: number[] = [];
  readonly #servedLatenciesMs: number[] = [];
  /** Due times of requests that found no idle connection, oldest first. */
  readonly #waiting: number[] = [];
  readonly #finished = Promise.withResolvers<undefined>();
  #sentCount = 0;
  #dueCount = 0;
  #nextConnection = 0;
  #isOver = false;

  constructor(target: LoadTarget, connections: readonly Connection[], ratePerSecond: number | null) {
    this.#target = target;
    this.#connections = connections;
    this.#ratePerSecond = ratePerSecond;
  }

  async run(durationMs: number): Promise<LoadResult> {
    const startedAt = performance.now();
    for (const connection of this.#connections) {
      const answered = (status: number, body: Buffer): void => this.#answered(connection, { status, body });
      connection.socket.on('data', (chunk) => readAnswers(connection, chunk, answered));
      connection.socket.on('error', this.#finished.reject);
      connection.socket.on('close', () => this.#finished.reject(new Error('the server closed a connection')));
      if (this.#ratePerSecond === null) this.#send(connection, startedAt);
    }
    const timer = setInterval(() => this.#sendDue(startedAt), tickMs);
    setTimeout(() => {
      this.#isOver = true;
      this.#finishWhenIdle();
    }, durationMs);
    await this.#finished.promise.finally(() => clearInterval(timer));
    return {
      answeredCount: this.#latenciesMs.length,
      durationMs: performance.now() - startedAt,
      statuses: this.#statuses,
      refusals: this.#refusals,
      latenciesMs: Float64Array.from(this.#latenciesMs).sort(),
      servedLatenciesMs: Float64Array.from(this.#servedLatenciesMs).sort(),
    };
  }

  #send(connection: Connection, dueAt: number): void {
    connection.dueAt = dueAt;
    connection.socket.write(this.#target.requestOf(this.#sentCount));
    this.#sentCount += 1;
  }

  #sendDue(startedAt: number): void {
    if (this.#ratePerSecond === null || this.#isOver) return;
    const dueCount = ((performance.now() - startedAt) / 1_000) * this.#ratePerSecond;
    for (; this.#dueCount < dueCount; this.#dueCount += 1) {
      const dueAt = startedAt + (this.#dueCount * 1_000) / this.#ratePerSecond;
      const idle = this.#nextIdle();
      if (idle === null) this.#waiting.push(dueAt);
      else this.#send(idle, dueAt);
    }
  }

  /** Connections are used in rotation: the server closes one that is silent for long. */
  #nextIdle(): Connection | null {
    for (let tried = 0; tried < this.#connections.length; tried += 1) {
      const connection = this.#connections[this.#nextConnection % this.#connections.length];
      this.#nextConnection += 1;
      if (connection?.dueAt === null) return connection;
    }
    return null;
  }

  #answered(connection: Connection, { status, body }: { readonly status: number; readonly body: Buffer }): void {
    const now = performance.now();
    const latencyMs = now - (connection.dueAt ?? now);
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
    this.#latenciesMs.push(latencyMs);
    if (status < 300) this.#servedLatenciesMs.push(latencyMs);
    else if (!this.#refusals.has(status)) this.#refusals.set(status, body.toString());
    connection.dueAt = null;
    const next = this.#waiting.shift();
    if (next !== undefined) this.#send(connection, next);
    else if (this.#ratePerSecond === null && !this.#isOver) this.#send(connection, now);
    else this.#finishWhenIdle();
  }

  #finishWhenIdle(): void {
    if (this.#isOver && this.#connections.every(({ dueAt }) => dueAt === null)) this.#finished.resolve(undefined);
  }
}

function open(port: number): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.removeListener('error', reject);
      resolve({ socket, pending: null, dueAt: null });
    });
  });
}

/** Find the end of each answer by its Content-Length, which every contestant sends. */
function readAnswers(connection: Connection, chunk: Buffer, answered: (status: number, body: Buffer) => void): void {
  let bytes = connection.pending === null ? chunk : Buffer.concat([connection.pending, chunk]);
  for (;;) {
    const end = bytes.indexOf(headerEnd);
    const head = end === -1 ? null : bytes.toString('latin1', 0, end);
    const length = head === null ? null : Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    const total = length === null ? null : end + headerEnd.length + length;
    if (head === null || total === null || bytes.length < total) {
      connection.pending = bytes.length === 0 ? null : bytes;
      return;
    }
    const body = bytes.subarray(end + headerEnd.length, total);
    bytes = bytes.subarray(total);
    connection.pending = null;
    answered(Number(head.slice(9, 12)), body);
    if (bytes.length === 0) return;
  }
}

/** Return a quantile of sorted values. */
export function quantileOf(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
