import { connect, type Socket } from 'node:net';

/** What a span of load showed. */
export interface LoadResult {
  readonly answeredCount: number;
  readonly durationMs: number;
  /** Answers by status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Milliseconds from the moment a request was due to the end of its answer, sorted. */
  readonly latenciesMs: Float64Array;
  /** The same of the requests that were answered with what they asked for. */
  readonly servedLatenciesMs: Float64Array;
}

/** How long load goes on, and how much. */
export interface LoadShape {
  readonly connectionCount: number;
  readonly durationMs: number;
  /** Requests due per second whether answered or not; null sends the next one when the last is answered. */
  readonly ratePerSecond: number | null;
}

interface Connection {
  readonly socket: Socket;
  pending: Buffer | null;
  /** When the request under way was due; null while idle. */
  dueAt: number | null;
}

const headerEnd = Buffer.from('\r\n\r\n');
const tickMs = 2;

/**
 * Loads one server over keep-alive connections, from outside and with little work of its own: requests are bytes made
 * beforehand, answers are only measured. An open load keeps its rate, so that a slow answer cannot hide the ones that
 * wait behind it.
 */
export async function applyLoad(
  target: { readonly port: number; readonly requestOf: (index: number) => Buffer },
  shape: LoadShape,
): Promise<LoadResult> {
  const statuses = new Map<number, number>();
  const latencies: number[] = [];
  const servedLatencies: number[] = [];
  const waiting: number[] = [];
  let sent = 0;
  let isOver = false;
  const connections = await Promise.all(Array.from({ length: shape.connectionCount }, () => open(target.port)));
  const send = (connection: Connection, dueAt: number): void => {
    connection.dueAt = dueAt;
    connection.socket.write(target.requestOf(sent));
    sent += 1;
  };
  const startedAt = performance.now();
  const finished = Promise.withResolvers<undefined>();
  const answered = (connection: Connection, status: number): void => {
    const now = performance.now();
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const latencyMs = now - (connection.dueAt ?? now);
    latencies.push(latencyMs);
    if (status < 300) servedLatencies.push(latencyMs);
    connection.dueAt = null;
    const next = waiting.shift();
    if (next !== undefined) send(connection, next);
    else if (shape.ratePerSecond === null && !isOver) send(connection, now);
    else if (isOver && connections.every(({ dueAt }) => dueAt === null)) finished.resolve(undefined);
  };
  for (const connection of connections) {
    connection.socket.on('data', (chunk) => readAnswers(connection, chunk, answered));
    connection.socket.on('error', finished.reject);
    connection.socket.on('close', () => finished.reject(new Error('the server closed a connection')));
  }
  const { ratePerSecond } = shape;
  let timer: NodeJS.Timeout | null = null;
  if (ratePerSecond === null) for (const connection of connections) send(connection, startedAt);
  else {
    let dueCount = 0;
    timer = setInterval(() => {
      const now = performance.now();
      if (isOver) return;
      for (; dueCount < ((now - startedAt) / 1_000) * ratePerSecond; dueCount += 1) {
        const dueAt = startedAt + (dueCount * 1_000) / ratePerSecond;
        const idle = connections.find((connection) => connection.dueAt === null);
        if (idle === undefined) waiting.push(dueAt);
        else send(idle, dueAt);
      }
    }, tickMs);
  }
  setTimeout(() => {
    isOver = true;
    if (connections.every(({ dueAt }) => dueAt === null)) finished.resolve(undefined);
  }, shape.durationMs);
  await finished.promise;
  const durationMs = performance.now() - startedAt;
  if (timer !== null) clearInterval(timer);
  for (const { socket } of connections) {
    socket.removeAllListeners('close');
    socket.destroy();
  }
  return {
    answeredCount: latencies.length,
    durationMs,
    statuses,
    latenciesMs: Float64Array.from(latencies).sort(),
    servedLatenciesMs: Float64Array.from(servedLatencies).sort(),
  };
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

/** Finds the end of each answer by its Content-Length; every contestant sends one. */
function readAnswers(
  connection: Connection,
  chunk: Buffer,
  answered: (connection: Connection, status: number) => void,
): void {
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
    bytes = bytes.subarray(total);
    connection.pending = null;
    answered(connection, Number(head.slice(9, 12)));
    if (bytes.length === 0) return;
  }
}

/** A quantile of sorted values. */
export function quantileOf(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
