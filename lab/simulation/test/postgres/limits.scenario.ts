import { connect, databaseUrl, outcomeOf, pause, runScenario, scheduler, stall } from './scenario.ts';

const change = 'UPDATE counters SET count = count + 1 WHERE id = 1';

async function lockedRow() {
  const holder = await connect('holder');
  await holder.query('BEGIN');
  await holder.query(change);
  return holder;
}

await runScenario({
  lock: async () => {
    await lockedRow();
    const waiter = await connect('waiter');
    await waiter.query("SET lock_timeout = '5s'; SET statement_timeout = 5001");
    await pause(100);
    return outcomeOf(waiter.query(change));
  },
  statement: async () => {
    await lockedRow();
    const waiter = await connect('waiter');
    await waiter.query(
      'SELECT set_config(name, setting, false) FROM unnest($1::text[], $2::text[]) AS s (name, setting)',
      [
        ['lock_timeout', 'statement_timeout'],
        ['9000', '4000'],
      ],
    );
    await pause(100);
    const refusal = await outcomeOf(waiter.query(change));
    return { refused: refusal, next: await outcomeOf(waiter.query('SELECT 1')) };
  },
  secondWait: async () => {
    const first = await lockedRow();
    const second = await connect('second');
    await second.query('BEGIN');
    await second.query('UPDATE counters SET count = 1 WHERE id = 2');
    const waiter = await connect('waiter');
    await waiter.query('SET lock_timeout = 1000');
    const waiting = outcomeOf(waiter.query('SELECT count FROM counters WHERE id < 3 ORDER BY id FOR UPDATE'));
    await pause(600);
    await first.query('COMMIT');
    return waiting;
  },
  idleTransaction: async () => {
    const holder = await lockedRow();
    await holder.query("SET idle_in_transaction_session_timeout = '15s'");
    const waiter = await connect('waiter');
    const waiting = outcomeOf(waiter.query(change));
    const ended = new Promise((resolve) => holder.once('end', () => resolve(scheduler.elapsedMs)));
    const failed = new Promise((resolve) =>
      holder.once('error', ({ message, ...rest }) => resolve({ message, code: 'code' in rest ? rest.code : null })),
    );
    return { waiting: await waiting, ended: await ended, failed: await failed };
  },
  idleSession: async () => {
    const holder = await connect('holder');
    await holder.query('SET idle_session_timeout = 8000');
    await holder.query('SELECT pg_advisory_lock(1)');
    const waiter = await connect('waiter');
    const waiting = outcomeOf(waiter.query('SELECT pg_advisory_lock(1)'));
    await pause(7000);
    await holder.query('SELECT 1');
    const failed = new Promise((resolve) =>
      holder.once('error', ({ message, ...rest }) => resolve({ message, code: 'code' in rest ? rest.code : null })),
    );
    return { failed: await failed, waiting: await waiting };
  },
  stalled: async () => {
    const holder = await lockedRow();
    const url = new URL(databaseUrl);
    url.searchParams.set('options', '-c lock_timeout=200 -c statement_timeout=300');
    url.searchParams.set('idle_in_transaction_session_timeout', '250');
    const waiter = await connect('waiter', url.href);
    await waiter.query('BEGIN');
    const waiting = outcomeOf(waiter.query(change));
    await pause(100);
    stall(700);
    await pause(50);
    await holder.query('COMMIT');
    const granted = await waiting;
    await pause(100);
    stall(700);
    await pause(100);
    return { granted, committed: await outcomeOf(waiter.query('COMMIT')) };
  },
  scopes: async () => {
    const client = await connect('client');
    const own = async (): Promise<unknown> =>
      (
        await client.query(
          "SELECT name, setting FROM pg_settings WHERE name IN ('lock_timeout', 'statement_timeout') ORDER BY 1",
        )
      ).rows;
    const readings: unknown[] = [await own()];
    await client.query("SET lock_timeout = '5s'");
    await client.query('BEGIN');
    await client.query("SELECT set_config('lock_timeout', $1, true)", ['70']);
    readings.push((await client.query('SHOW lock_timeout')).rows);
    await client.query('COMMIT');
    readings.push(await own());
    await client.query('BEGIN');
    await client.query('SET lock_timeout = 1');
    await client.query('ROLLBACK');
    readings.push(
      (
        await client.query(
          "SELECT current_setting('lock_timeout') AS own, current_setting('deadlock_timeout') AS other",
        )
      ).rows,
    );
    await lockedRow();
    await client.query('BEGIN');
    await client.query("SELECT set_config('lock_timeout', $1, true)", ['70']);
    const startMs = scheduler.elapsedMs;
    const inside = await outcomeOf(client.query(change));
    await client.query('ROLLBACK');
    const outside = await outcomeOf(client.query(change));
    return { shown: readings, inside: inside.atMs - startMs, outside: outside.atMs - startMs };
  },
});
