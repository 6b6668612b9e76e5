import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { setTimeout as delay, setInterval as everyInterval, setImmediate as nextImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { httpExchange, listen } from '@core/runtime';
import { WebSocket, WebSocketServer } from 'ws';
import type { Edge } from '../../src/runtime/installEdge.ts';
import { Program } from '../../src/runtime/program.ts';

type Scenario = (edge: Edge) => Promise<unknown>;

/** Return the virtual milliseconds that some work takes, and the name of its error when it fails. */
async function spent(work: () => Promise<unknown>): Promise<readonly [number, string]> {
  const beginMs = performance.now();
  try {
    await work();
    return [Math.round(performance.now() - beginMs), 'done'];
  } catch (error) {
    const { name, code } = error instanceof Error ? (error as Error & { code?: unknown }) : { name: 'unknown' };
    return [Math.round(performance.now() - beginMs), typeof code === 'string' ? code : name];
  }
}

function textServer(text: string): Server {
  return createServer((request, response) => {
    const isPacked = request.headers['accept-encoding']?.includes('gzip') === true;
    response.writeHead(200, isPacked ? { 'content-encoding': 'gzip' } : {});
    response.end(isPacked ? gzipSync(text) : text);
  });
}

/** Start a server as a program of its own, on a free port or on a given one. */
async function serve(server: Server, { name, port = 0 }: { readonly name: string; readonly port?: number }) {
  const program = new Program(name);
  const { url } = await program.run(() => listen(server, { port }));
  return { program, url, port: Number(new URL(url).port) };
}

function die({ network }: Edge, program: Program): void {
  program.die();
  network.end(program);
}

const order: Scenario = async () => {
  const said: string[] = [];
  const say = (text: string) => () => void said.push(text);
  setTimeout(say('timer of 2 ms'), 2);
  setTimeout(say('timer of 1 ms'), 1);
  setTimeout(say('timer of 0 ms'), 0);
  setImmediate(say('immediate'));
  process.nextTick(say('tick'));
  void Promise.resolve().then(say('promise'));
  const cancelled = setTimeout(say('cancelled'), 1);
  clearTimeout(cancelled);
  const refreshed = setTimeout(say('refreshed'), 3);
  await delay(2);
  refreshed.refresh();
  await delay(2);
  said.push('4 ms');
  await delay(2);
  return said;
};

const clocks: Scenario = async () => {
  const begin = { date: Date.now(), mono: performance.now(), hr: process.hrtime.bigint() };
  await delay(3_600_000);
  const ahead = new Program('ahead');
  ahead.clockOffsetMs = 900;
  return {
    date: Date.now() - begin.date,
    mono: performance.now() - begin.mono,
    hr: String(process.hrtime.bigint() - begin.hr),
    newDate: new Date().toISOString(),
    isDate: new Date() instanceof Date,
    given: new Date(0).toISOString(),
    ahead: ahead.run(() => Date.now()) - Date.now(),
  };
};

const waits: Scenario = async () => {
  const never = new Promise<never>(() => undefined);
  const aborted = new AbortController();
  let ticks = 0;
  const interval = async (): Promise<void> => {
    for await (const _ of everyInterval(10)) {
      ticks += 1;
      if (ticks === 5) return;
    }
  };
  return {
    delay: await spent(() => delay(250)),
    aborted: await spent(() => {
      setTimeout(() => aborted.abort(), 70);
      return delay(5_000, undefined, { signal: aborted.signal });
    }),
    timeout: await spent(() => Promise.race([never, abortOf(AbortSignal.timeout(1_500))])),
    interval: await spent(interval),
    immediate: await spent(() => nextImmediate()),
    file: await spent(() => readFile(new URL(import.meta.url))),
    digest: await spent(() => crypto.subtle.digest('SHA-256', Buffer.from('text'))),
  };
};

const abortOf = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

const http: Scenario = async (edge) => {
  const text = 'a text that is packed '.repeat(1_000);
  const server = await serve(textServer(text), { name: 'server' });
  const fetched = await fetch(server.url);
  const exchanged = await httpExchange({
    url: server.url,
    method: 'GET',
    headers: { 'accept-encoding': 'gzip' },
    timeoutMs: 1_000,
  });
  const date = fetched.headers.get('date');
  const isWhole = (await fetched.text()) === text && exchanged.text === text;
  die(edge, server.program);
  const refusal = await spent(() => httpExchange({ url: server.url, method: 'GET', timeoutMs: 1_000 }));
  const again = await serve(textServer('again'), { name: 'server', port: server.port });
  const answer = await httpExchange({ url: server.url, method: 'GET', timeoutMs: 1_000 });
  die(edge, again.program);
  return { isWhole, date: date === new Date().toUTCString(), refused: refusal[1], again: answer.text };
};

/** A program dies while a request waits for its answer, and while its own request is under way. */
const deaths: Scenario = async (edge) => {
  const paths: string[] = [];
  const slow = createServer((request, response) => {
    paths.push(request.url ?? '');
    setTimeout(() => response.end('late'), 100);
  });
  const server = await serve(slow, { name: 'slow' });
  setTimeout(() => die(edge, server.program), 50);
  const cut = await spent(() => httpExchange({ url: `${server.url}/cut`, method: 'GET', timeoutMs: 1_000 }));
  const other = await serve(slow, { name: 'other' });
  const client = new Program('client');
  let isTicking = true;
  client.run(() => {
    setInterval(() => {
      isTicking = true;
    }, 10);
    void httpExchange({ url: `${other.url}/last`, method: 'GET', timeoutMs: 1_000 }).catch(() => undefined);
  });
  await delay(5);
  die(edge, client);
  isTicking = false;
  client.run(
    () => void httpExchange({ url: `${other.url}/zombie`, method: 'GET', timeoutMs: 1_000 }).catch(() => undefined),
  );
  await delay(500);
  die(edge, other.program);
  return { cut, asked: paths, isTicking };
};

const pauses: Scenario = async (edge) => {
  const server = await serve(textServer('text'), { name: 'paused' });
  let ticks = 0;
  server.program.run(() => setInterval(() => void (ticks += 1), 100));
  await delay(250);
  server.program.pause();
  setTimeout(() => edge.scheduler.resume(server.program), 5_000);
  const impatient = await spent(() => httpExchange({ url: server.url, method: 'GET', timeoutMs: 1_000 }));
  const ticksInPause = ticks;
  const patient = await spent(() => httpExchange({ url: server.url, method: 'GET', timeoutMs: 10_000 }));
  await delay(250);
  const ticksAfter = ticks;
  die(edge, server.program);
  return { impatient, ticksInPause, patient, ticksAfter };
};

const lostMessages: Scenario = async (edge) => {
  const server = await serve(textServer('text'), { name: 'mute' });
  const usual = edge.network.latency;
  edge.network.latency = (from, to, byteLength) => (from === 'mute' ? null : usual(from, to, byteLength));
  const mute = await spent(() => httpExchange({ url: server.url, method: 'GET', timeoutMs: 2_000 }));
  edge.network.latency = usual;
  const answer = await spent(() => httpExchange({ url: server.url, method: 'GET', timeoutMs: 2_000 }));
  die(edge, server.program);
  return { mute, heard: answer[1] };
};

const sockets: Scenario = async (edge) => {
  const server = createServer();
  const socketServer = new WebSocketServer({ server });
  socketServer.on('connection', (socket) => socket.on('message', (data) => socket.send(`${String(data)} back`)));
  const { program, url } = await serve(server, { name: 'sockets' });
  const client = new WebSocket(url.replace('http', 'ws'));
  const said: string[] = [];
  client.on('open', () => client.send('there'));
  client.on('message', (data) => said.push(String(data)));
  client.on('close', (code) => said.push(`closed ${code}`));
  client.on('error', () => undefined);
  await delay(50);
  die(edge, program);
  await delay(50);
  return said;
};

/** A program is paused while a client connects, another is dead when it opens a server. */
const accepts: Scenario = async (edge) => {
  let accepted = 0;
  const server = createServer((_request, response) => response.end('text')).on('connection', () => (accepted += 1));
  const { program, url } = await serve(server, { name: 'accepting' });
  program.pause();
  const early = await spent(() => httpExchange({ url, method: 'GET', timeoutMs: 100 }));
  const acceptedInPause = accepted;
  edge.scheduler.resume(program);
  const late = await spent(() => httpExchange({ url, method: 'GET', timeoutMs: 100 }));
  die(edge, program);
  const port = Number(new URL(url).port);
  program.run(() => createServer().listen(port));
  const successor = await serve(textServer('successor'), { name: 'successor', port });
  die(edge, successor.program);
  return { early: early[1], acceptedInPause, late: late[1], successor: successor.port === port };
};

/** An agent keeps its options for every program. */
const agents: Scenario = async (edge) => {
  const { program, url } = await serve(textServer('x'.repeat(70_000_000)), { name: 'large' });
  const client = new Program('client');
  const large = await client.run(() => spent(() => httpExchange({ url, method: 'GET', timeoutMs: 60_000 })));
  die(edge, program);
  return large[1];
};

const randomness: Scenario = async () => ({
  bytes: randomBytes(4).toString('hex'),
  uuid: randomUUID(),
  web: crypto.randomUUID(),
  number: Math.random(),
});

/** Scenarios of one process, one after the other. */
export const scenarios = {
  order,
  clocks,
  waits,
  http,
  deaths,
  pauses,
  lostMessages,
  sockets,
  accepts,
  agents,
  randomness,
};
