import net from 'node:net';
import type { Duplex } from 'node:stream';
import { type Client, connect, databaseUrl, outcomeOf, pause, runScenario, scheduler } from './scenario.ts';

const message = (type: string, body: string | Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(Buffer.byteLength(body) + 4);
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body)]);
};

async function open(): Promise<net.Socket> {
  const socket = net.connect({ port: Number(new URL(databaseUrl).port), host: '127.0.0.1' });
  await pause(1);
  return socket;
}

/** A session on which the scenario speaks the protocol in place of the driver. */
async function speak() {
  const client = await connect('speaker');
  const socket: Duplex = Reflect.get(Reflect.get(client, 'connection'), 'stream');
  socket.removeAllListeners('data');
  const received: Buffer[] = [];
  socket.on('data', (bytes: Buffer) => received.push(bytes));
  return async (...parts: readonly Buffer[]): Promise<string> => {
    socket.write(Buffer.concat(parts));
    await pause(5);
    const bytes = Buffer.concat(received.splice(0));
    let types = '';
    for (let at = 0; at < bytes.length; at += bytes.readUInt32BE(at + 1) + 1) {
      types += bytes.toString('latin1', at, at + 1);
    }
    return types;
  };
}

const run = (text: string): Buffer =>
  Buffer.concat([message('P', `\0${text}\0\0\0`), message('B', '\0\0\0\0\0\0\0\0'), message('E', '\0\0\0\0\0')]);
const sync = message('S', '');
const flush = message('H', '');

const cancelKeyOf = (client: Client): { readonly processID: number; readonly secretKey: number } => {
  if (!('processID' in client && 'secretKey' in client)) throw new Error('the driver has no key');
  return { processID: Number(client.processID), secretKey: Number(client.secretKey) };
};

async function cancel({ processID, secretKey }: ReturnType<typeof cancelKeyOf>): Promise<void> {
  const socket = await open();
  const body = Buffer.alloc(16);
  for (const [index, value] of [16, 80_877_102, processID].entries()) body.writeUInt32BE(value, 4 * index);
  body.writeInt32BE(secretKey, 12);
  socket.write(body);
}

await runScenario({
  cancel: async () => {
    const holder = await connect('holder');
    await holder.query('BEGIN; LOCK TABLE counters');
    const waiter = await connect('waiter');
    const key = cancelKeyOf(waiter);
    await cancel(key);
    await pause(5);
    const waiting = outcomeOf(waiter.query('SELECT * FROM counters'));
    await pause(5);
    await cancel({ ...key, secretKey: key.secretKey ^ 1 });
    await pause(5);
    await cancel(key);
    return { waiting: await waiting, next: (await outcomeOf(waiter.query('SELECT 1'))).code };
  },
  encryption: async () => {
    const socket = await open();
    const answer = new Promise((resolve) => socket.once('data', (bytes) => resolve(bytes.toString())));
    socket.write(Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]));
    return answer;
  },
  failedStart: async () => {
    const url = new URL(databaseUrl);
    url.password = 'wrong';
    return (await outcomeOf(connect('stranger', url.href))).code;
  },
  terminated: async () => {
    const victim = await connect('victim');
    const ended = new Promise((resolve) => victim.once('end', () => resolve(scheduler.elapsedMs)));
    const failed = new Promise((resolve) => victim.once('error', (error) => resolve(Reflect.get(error, 'code'))));
    const other = await connect('other');
    await pause(10);
    await other.query('SELECT pg_terminate_backend($1)', [cancelKeyOf(victim).processID]);
    return { failed: await failed, ended: await ended };
  },
  end: async () => {
    const holder = await connect('holder');
    await holder.query('SELECT pg_advisory_lock(1)');
    void holder.end();
    await pause(1);
    const { rows } = await (await connect('next')).query('SELECT pg_try_advisory_lock(1) AS got');
    return rows[0].got;
  },
  pipeline: async () => {
    const send = await speak();
    return [
      await send(run('SELECT 1'), run('SELECT 2'), sync),
      await send(run('SELECT 1'), run('SELECT 1 / 0'), run('SELECT 3'), sync),
      await send(run('SELECT 1'), sync, run('SELECT nothing'), sync, run('SELECT 2'), sync),
      await send(run('SELECT 1'), flush),
      await send(run('SELECT 1 / 0'), flush),
      await send(sync),
      await send(flush, sync),
    ];
  },
  copy: async () => {
    const send = await speak();
    const query = (text: string): Buffer => message('Q', `${text}\0`);
    return [
      await send(query('COPY counters FROM STDIN')),
      await send(message('d', '20\t5\n21\t6\n'), message('c', '')),
      await send(query('COPY (SELECT 1 FROM counters WHERE id >= 20) TO STDOUT')),
      await send(query('COPY counters FROM STDIN')),
      await send(message('f', 'no rows\0')),
      await send(run('COPY counters FROM STDIN'), sync),
      await send(message('d', '22\t5\n'), message('c', ''), sync),
      await send(query('SELECT FROM counters WHERE id >= 20')),
    ];
  },
});
