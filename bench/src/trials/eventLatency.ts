import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { writePosition, writtenPosition } from '@core/api/testing';
import type { Position } from '@core/position';
import { raw, tokenUnits } from '@core/pricing';
import { gateways, socketBasePath } from '@core/wire';
import { Client } from 'pg';
import { WebSocket } from 'ws';
import { quantileOf } from '../http/loadClient.ts';
import { type ServerProcess, startServer } from '../http/serverProcess.ts';
import { startWorld, walletOf } from '../http/world.ts';

// Usage: pnpm --filter @core/bench measure:events. Measures the time from the commit of a change to its arrival at a
// client, alone and with 1,000 sockets that all receive it. The floor is the time in which the database wakes a
// listener after a commit.
const eventCount = 400;
/** Pause between two commits: each is measured alone. */
const betweenMs = 10;

const note = (text: string): void => void process.stdout.write(`${text}\n`);

function report(name: string, latenciesMs: readonly number[]): void {
  const sorted = Float64Array.from(latenciesMs).sort();
  const [p50, p99, last] = [0.5, 0.99, 1].map((share) => quantileOf(sorted, share).toFixed(1));
  note(`${name}: p50 ${p50} ms, p99 ${p99} ms, last ${last} ms (${sorted.length} events)`);
}

/** Measure the time from a commit to the wake-up of a listener. */
async function floorOf(databaseUrl: string): Promise<readonly number[]> {
  const [listener, writer] = [new Client(databaseUrl), new Client(databaseUrl)];
  await Promise.all([listener.connect(), writer.connect()]);
  await listener.query('LISTEN bench_floor');
  const latencies: number[] = [];
  for (let count = 0; count < eventCount; count += 1) {
    const heard = once(listener, 'notification').then(() => performance.now());
    await writer.query('NOTIFY bench_floor');
    const committedMs = performance.now();
    latencies.push(Math.max(0, (await heard) - committedMs));
  }
  await Promise.all([listener.end(), writer.end()]);
  return latencies;
}

/** Connect a client to the partner's gateway that reports each event and its time. */
async function join(server: ServerProcess, apiKey: string, onEvent: (units: string) => void): Promise<WebSocket> {
  const url = `ws://127.0.0.1:${server.port}${socketBasePath}${gateways.partner.path}`;
  const socket = new WebSocket(url, { headers: { authorization: `Api-Key ${apiKey}` }, perMessageDeflate: false });
  const joined = Promise.withResolvers<undefined>();
  socket.on('error', joined.reject);
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data));
    if (frame.frame === 'snapshot') joined.resolve(undefined);
    if (frame.frame === 'event') onEvent(String(frame.data.current.position_token_units));
  });
  await joined.promise;
  return socket;
}

const world = await startWorld();
const server = await startServer('service', world.setup);
const { store, partnerId } = world;
const { records } = await store.markets.unfinalized();
const [market] = records;
if (market === undefined) throw new Error('the venue lists no market');
let position: Position = writtenPosition({ number: 1, partnerId, walletAddress: walletOf(1), market, status: 'open' });

/** Commit one change after the other; return the time from each commit until `socketCount` clients have it. */
async function latenciesOf(socketCount: number): Promise<readonly number[]> {
  let remaining = 0;
  let tokenUnitsText = '';
  let arrived = Promise.withResolvers<number>();
  const onEvent = (units: string): void => {
    if (units !== tokenUnitsText) return;
    remaining -= 1;
    if (remaining === 0) arrived.resolve(performance.now());
  };
  const sockets = await Promise.all(Array.from({ length: socketCount }, () => join(server, world.apiKey, onEvent)));
  const latencies: number[] = [];
  for (let count = 0; count < eventCount; count += 1) {
    position = { ...position, tokenUnits: tokenUnits(raw(position.tokenUnits) + 1n) };
    [remaining, tokenUnitsText, arrived] = [
      socketCount,
      raw(position.tokenUnits).toString(),
      Promise.withResolvers<number>(),
    ];
    await writePosition(store, position, 'position.partial_closed');
    const committedMs = performance.now();
    latencies.push(Math.max(0, (await arrived.promise) - committedMs));
    await pause(betweenMs);
  }
  for (const socket of sockets) socket.terminate();
  return latencies;
}

try {
  report('floor: commit → LISTEN', await floorOf(world.databaseUrl));
  report('commit → its only client', await latenciesOf(1));
  report('commit → the last of 1,000 clients', await latenciesOf(1_000));
} finally {
  await server.close();
  await world.close();
}
