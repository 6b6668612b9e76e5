import { connect, network, pause, runScenario, scheduler } from './scenario.ts';

network.latency = () => 0.25;

async function listener(name: string) {
  const received: string[] = [];
  const client = await connect(name);
  client.on('notification', ({ payload }) => received.push(`${scheduler.elapsedMs.toFixed(2)} ${payload}`));
  await client.query('LISTEN news');
  return { client, received };
}

await runScenario({
  delivery: async () => {
    const { received } = await listener('listener');
    const writer = await connect('writer');
    const instants: string[] = [];
    const send = async (text: string, isCommit = true): Promise<void> => {
      await pause(10);
      // Delivered with the answer: both take one latency from the server.
      const running = writer.query(text);
      await running;
      if (isCommit) instants.push(scheduler.elapsedMs.toFixed(2));
    };
    await send(`SELECT announce('function')`);
    await send(`WITH one AS (SELECT announce('with')) SELECT * FROM one`);
    await send('BEGIN', false);
    await send(`SELECT announce('transaction')`, false);
    await send('COMMIT');
    await send(`DO $$ BEGIN PERFORM announce('block'); END $$`);
    await send(`BEGIN; NOTIFY news, 'several'; COMMIT; BEGIN`, false);
    await send('ROLLBACK');
    await writer.query({ name: 'named', text: 'SELECT announce($1)', values: ['named'] });
    instants.push(scheduler.elapsedMs.toFixed(2));
    await pause(10);
    return { received: received.map((line) => line.split(' ')), sent: instants };
  },
  inTransaction: async () => {
    const { client, received } = await listener('listener');
    const writer = await connect('writer');
    await client.query('BEGIN');
    await writer.query(`NOTIFY news, 'one'`);
    await pause(10);
    const before = received.length;
    await client.query('COMMIT');
    await client.query('UNLISTEN *');
    const pings = scheduler.counts.get('sql ping') ?? 0;
    await writer.query(`NOTIFY news, 'two'`);
    return { before, after: received.length, pings: (scheduler.counts.get('sql ping') ?? 0) - pings };
  },
  blockedWriter: async () => {
    const { received } = await listener('listener');
    const holder = await connect('holder');
    const writer = await connect('writer');
    await holder.query('BEGIN; UPDATE counters SET count = 1 WHERE id = 1');
    void writer.query(`BEGIN; UPDATE counters SET count = 2 WHERE id = 1; NOTIFY news, 'late'; COMMIT`);
    await pause(20);
    await holder.query('COMMIT');
    const atMs = scheduler.elapsedMs.toFixed(2);
    await pause(1);
    return { received, atMs };
  },
});
