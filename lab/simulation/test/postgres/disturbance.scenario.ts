import { connect, outcomeOf, pause, postgres, runScenario, scheduler } from './scenario.ts';

const change = 'UPDATE counters SET count = count + 1 WHERE id = 1';
const refusal = { code: '40001', message: 'could not serialize access' };

/** Disturb the next request of a program whose text has a part. */
function disturbNext(part: string, disturbance: ReturnType<NonNullable<typeof postgres.onStatement>>): void {
  postgres.onStatement = ({ program, texts }) => {
    if (program !== 'client' || !texts.some((text) => text.includes(part))) return null;
    postgres.onStatement = null;
    return disturbance;
  };
}

const count = async (): Promise<unknown> => {
  const [row] = await postgres.query('SELECT count FROM counters WHERE id = 1');
  return row?.['count'];
};

await runScenario({
  refuse: async () => {
    const client = await connect('client');
    await client.query('BEGIN');
    await client.query({ name: 'change', text: change });
    disturbNext('UPDATE', { kind: 'refuse', error: refusal });
    const outcome = await outcomeOf(client.query({ name: 'change', text: change }));
    const aborted = await outcomeOf(client.query('SELECT 1'));
    await client.query('ROLLBACK');
    const repeated = await outcomeOf(client.query({ name: 'change', text: change }));
    return { refused: outcome, aborted: aborted.code, repeated: repeated.code, count: await count() };
  },
  cut: async () => {
    const results: unknown[] = [];
    for (const isExecuted of [false, true]) {
      const client = await connect('client');
      disturbNext('UPDATE', { kind: 'cut', isExecuted });
      const failed = await outcomeOf(client.query(change));
      results.push([failed.code !== null, await count()]);
    }
    return results;
  },
  delay: async () => {
    const client = await connect('client');
    disturbNext('UPDATE', { kind: 'delay', delayMs: 700 });
    const [first, second] = [outcomeOf(client.query(change)), outcomeOf(client.query('SELECT 1'))];
    await pause(10);
    return { seen: await count(), first: (await first).atMs, second: (await second).atMs };
  },
  hold: async () => {
    const client = await connect('client');
    await client.query('SET lock_timeout = 300');
    const release = await postgres.hold('LOCK TABLE counters IN ACCESS EXCLUSIVE MODE');
    const outcome = await outcomeOf(client.query(change));
    const waiting = outcomeOf(client.query(change));
    await pause(100);
    await release();
    return [outcome, await waiting, scheduler.elapsedMs];
  },
});
