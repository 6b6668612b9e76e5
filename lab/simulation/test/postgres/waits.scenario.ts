import { Random } from '../../src/runtime/random.ts';
import { type Client, connect, outcomeOf, pause, runScenario, scheduler, stall } from './scenario.ts';

const rounds = 40;

/** One holder and one waiter with random times; the outcome follows from them alone. */
async function round(random: Random, { holder, waiter }: { readonly holder: Client; readonly waiter: Client }) {
  const [heldMs, lockMs, statementMs] = [random.between(3, 60), random.between(3, 60), random.between(3, 60)];
  await waiter.query(`SET lock_timeout = ${lockMs}; SET statement_timeout = ${statementMs}`);
  await holder.query('BEGIN; UPDATE counters SET count = 0 WHERE id = 1');
  const beginMs = scheduler.elapsedMs;
  const waiting = outcomeOf(waiter.query('UPDATE counters SET count = 1 WHERE id = 1'));
  if (random.happens(0.3)) {
    await pause(1);
    stall(random.between(1, 80));
  }
  await pause(heldMs - (scheduler.elapsedMs - beginMs));
  await holder.query('ROLLBACK');
  const { atMs, code } = await waiting;
  const limitMs = Math.min(lockMs, statementMs);
  const limitCode = lockMs <= statementMs ? '55P03' : '57014';
  const outcome = heldMs < limitMs ? null : limitCode;
  // In one instant the order is that of the events: either may come first.
  const isTie = heldMs === limitMs;
  const isRight = isTie || (code === outcome && atMs - beginMs === Math.min(heldMs, limitMs));
  return isRight ? [] : [{ heldMs, lockMs, statementMs, code, ms: atMs - beginMs }];
}

await runScenario({
  random: async () => {
    const random = new Random(7, 'waits');
    const sessions = { holder: await connect('holder'), waiter: await connect('waiter') };
    const wrong: unknown[] = [];
    for (let index = 0; index < rounds; index += 1) wrong.push(...(await round(random, sessions)));
    return wrong;
  },
});
