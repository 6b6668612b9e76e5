import { execFile } from 'node:child_process';
import { setImmediate as nextRound } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { eventBodyOf } from '@core/api';
import { sampleEventsOf } from '@core/wire';
import type { Bench, Contestant, Observation, Row } from '../harness/row.ts';
import { type OpenedSocket, startGatewaySockets } from '../http/gatewaySockets.ts';

const socketCount = 1_000;
/** Counts of idle sockets between which the memory of one is measured. */
const idleCounts = [1_000, 5_000] as const;
const [sample] = sampleEventsOf('partner');
if (sample === undefined) throw new Error('the table has samples');
const event = { id: 'evt_01jd0000000000000000000000', type: sample.type, createdAtMs: Date.UTC(2026, 0, 15) };
const idleSockets = fileURLToPath(new URL('../http/servers/idleSockets.ts', import.meta.url));

/** Return a contestant that sends one event to every socket, the next one when the system has taken the last. */
function broadcast(name: string, opened: readonly OpenedSocket[], send: () => void): Contestant {
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

/** Measure the memory of one more idle socket in a fresh process. */
async function observeIdle(): Promise<readonly Observation[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--expose-gc',
    idleSockets,
    ...idleCounts.map(String),
  ]);
  const memory: { readonly heldBytes?: unknown; readonly residentBytes?: unknown } = Object(JSON.parse(stdout));
  const [heldBytes, residentBytes] = [Number(memory.heldBytes), Number(memory.residentBytes)];
  return [
    { what: 'memory held by an idle socket', amount: heldBytes, unit: 'bytes' },
    { what: 'resident memory of an idle socket', amount: residentBytes, unit: 'bytes' },
  ];
}

async function prepare(): Promise<Bench> {
  const sockets = await startGatewaySockets();
  await sockets.open(socketCount);
  const { opened } = sockets;
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
    observe: observeIdle,
    close: () => sockets.close(),
  };
}

/** Cost of one event at a gateway with many connections. */
export const fanOut: Row = { name: 'fan-out', work: 'one event to 1,000 sockets', prepare };
