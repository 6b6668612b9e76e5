import { type Client, connect, kill, network, outcomeOf, pause, postgres, runScenario, scheduler } from './scenario.ts';

const change = (id: number): string => `UPDATE counters SET count = count + 1 WHERE id = ${id}`;

async function inTransaction(name: string, ...texts: readonly string[]): Promise<Client> {
  const client = await connect(name);
  await client.query('BEGIN');
  for (const text of texts) await client.query(text);
  return client;
}

await runScenario({
  slow: async () => {
    const client = await connect('client');
    const begin = scheduler.elapsedMs;
    await client.query('SET statement_timeout = 20');
    await client.query('SELECT pg_sleep(0.2)');
    return { ms: scheduler.elapsedMs - begin, blocked: scheduler.counts.get('sql blocked') ?? 0 };
  },
  deadlock: async () => {
    const one = await inTransaction('one', change(1));
    const two = await inTransaction('two', change(2));
    const first = outcomeOf(one.query(change(2)));
    await pause(50);
    const second = await outcomeOf(two.query(change(1)));
    return { first: (await first).code, second: second.code, atMs: (await first).atMs };
  },
  queue: async () => {
    const order: string[] = [];
    const holder = await inTransaction('holder', change(1));
    const waiters = ['a', 'b', 'c', 'd'].map(async (name) => {
      const client = await connect(name);
      await client.query(change(1));
      order.push(name);
    });
    await pause(100);
    await holder.query('COMMIT');
    await Promise.all(waiters);
    return order;
  },
  together: async () => {
    const holder = await inTransaction('holder', 'INSERT INTO counters VALUES (10, 0)');
    const names = ['a', 'b', 'c', 'd', 'e'];
    const waiters = names.map(async (name) => {
      const client = await connect(name);
      return (await outcomeOf(client.query('INSERT INTO counters VALUES (10, 1)'))).code;
    });
    await pause(100);
    await holder.query('ROLLBACK');
    return Promise.all(waiters);
  },
  death: async () => {
    network.latency = () => 0.25;
    const holder = await connect('holder');
    await holder.query('SELECT pg_advisory_lock(7)');
    const waiter = await connect('waiter');
    const waiting = outcomeOf(waiter.query('SELECT pg_advisory_lock(7)'));
    await pause(100);
    const diedMs = scheduler.elapsedMs;
    kill('holder');
    return Math.round(((await waiting).atMs - diedMs) * 1_000);
  },
  deathWhileBlocked: async () => {
    const holder = await inTransaction('holder', change(1));
    const waiter = await connect('waiter');
    void outcomeOf(waiter.query(change(1)));
    await pause(100);
    kill('waiter');
    await pause(100);
    await holder.query('COMMIT');
    await pause(1);
    const [row] = await postgres.query('SELECT count FROM counters WHERE id = 1');
    const sessions = await postgres.query(
      'SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    return { ...row, sessions: sessions.length };
  },
  pipeline: async () => {
    const holder = await inTransaction('holder', change(1));
    const waiter = await connect('waiter');
    const waiting = outcomeOf(waiter.query(`BEGIN; ${change(1)}; COMMIT; SELECT 1`));
    const behind = outcomeOf(waiter.query('SELECT 2'));
    await pause(40);
    await holder.query('ROLLBACK');
    return [await waiting, await behind];
  },
});
