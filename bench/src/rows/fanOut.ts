import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate as nextRound } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Connection, eventBodyOf } from '@core/api';
import { partnerTermsOf } from '@core/policy';
import { sampleEventsOf } from '@core/wire';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Bench, Contestant, Row } from '../harness/row.ts';

const socketCount = 1_000;
const [sample] = sampleEventsOf('partner');
if (sample === undefined) throw new Error('the table has samples');
const event = { id: 'evt_01jd0000000000000000000000', type: sample.type, createdAtMs: Date.UTC(2026, 0, 15) };
const readers = fileURLToPath(new URL('../http/servers/socketReaders.ts', import.meta.url));

interface Opened {
  readonly socket: WebSocket;
  readonly stream: Duplex;
  readonly connection: Connection;
}

/** One event to every socket, again and again; the next one when the last was taken by the system. */
function broadcast(name: string, opened: readonly Opened[], send: () => void): Contestant {
  return {
    name,
    measureRate: async (durationMs) => {
      const startedMs = performance.now();
      let eventCount = 0;
      while (performance.now() - startedMs < durationMs) {
        send();
        while (opened.some(({ stream }) => stream.writableLength > 0)) await nextRound();
        eventCount += 1;
      }
      return (eventCount * 1_000) / (performance.now() - startedMs);
    },
  };
}

async function open(): Promise<{ opened: readonly Opened[]; idleBytes: number; close: () => Promise<void> }> {
  const server = createServer();
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  const opened: Opened[] = [];
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
      opened.push({ socket, stream, connection });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const before = process.memoryUsage().rss;
  const { port } = server.address() as AddressInfo;
  const child: ChildProcess = spawn(process.execPath, [readers, String(port), String(socketCount)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.stdout === null) throw new Error('the readers have no output');
  await once(child.stdout, 'data');
  const idleBytes = (process.memoryUsage().rss - before) / socketCount;
  const close = async (): Promise<void> => {
    child.kill();
    for (const socket of sockets.clients) socket.terminate();
    await new Promise((resolve) => server.close(resolve));
  };
  return { opened, idleBytes, close };
}

async function prepare(): Promise<Bench> {
  const { opened, idleBytes, close } = await open();
  const body = eventBodyOf(event, sample?.data);
  let sequence = 0n;
  const subject = broadcast('Connection.deliver', opened, () => {
    sequence += 1n;
    for (const { connection } of opened) connection.deliver({ transactionId: 1n, sequence }, body);
  });
  const bytes = Buffer.concat([Buffer.from('{"frame":"event","seq":1'), body]);
  const floor = broadcast('bare ws, same bytes', opened, () => {
    for (const { socket } of opened) socket.send(bytes, { binary: false });
  });
  const naive = broadcast('encoded per socket', opened, () => {
    const { createdAtMs, ...rest } = event;
    for (const [seq, { socket }] of opened.entries()) {
      const created_at = new Date(createdAtMs).toISOString();
      socket.send(JSON.stringify({ frame: 'event', seq, ...rest, created_at, data: sample?.data }));
    }
  });
  return {
    subject,
    others: [floor, naive],
    bars: [{ against: floor.name, atLeast: 0.6 }],
    effort: { rounds: 11, roundMs: 400 },
    observe: async () => [{ what: 'memory of an idle socket', amount: Math.round(idleBytes), unit: 'bytes' }],
    close,
  };
}

/** What one event costs at a gateway with many connections. */
export const fanOut: Row = { name: 'fan-out', work: 'one event to 1,000 sockets', prepare };
