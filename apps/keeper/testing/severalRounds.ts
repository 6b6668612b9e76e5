import type { Keeper } from '../src/index.ts';
import type { TestStack } from './startTestStack.ts';

/** Rounds of each task: with pauses of a third of a second, several times what one authorisation takes. */
const roundCount = 10;

/** Tasks after whose rounds a keeper has seen every change of chain and books, and has acted on what is due. */
const actingTasks = ['indexChain', 'advancePositions', 'advanceDue'] as const;

/** Wait until the keeper could have authorised an order several times: by its rounds, however long they take. */
export async function severalRounds(stack: TestStack, keeper: Pick<Keeper, 'metricsUrl'>): Promise<void> {
  await untilRounds(stack, keeper, { tasks: actingTasks, count: roundCount });
}

/** Wait until the keeper has run each of these tasks that many times more. */
export async function untilRounds(
  stack: TestStack,
  { metricsUrl }: Pick<Keeper, 'metricsUrl'>,
  { tasks, count }: { readonly tasks: readonly string[]; readonly count: number },
): Promise<void> {
  const start = await roundsOf(metricsUrl, tasks);
  await stack.until(`${count} rounds of ${tasks.join(' and ')}`, async () => {
    const rounds = await roundsOf(metricsUrl, tasks);
    return rounds.every((round, index) => round >= (start[index] ?? 0) + count) ? true : undefined;
  });
}

/** Return the number of rounds that the keeper has run of each task. */
export async function roundsOf(metricsUrl: string, tasks: readonly string[]): Promise<readonly number[]> {
  const metrics = await (await fetch(`${metricsUrl}/metrics`)).text();
  return tasks.map((task) => {
    const prefix = `keeper_task_seconds_count{task="${task}"} `;
    const line = metrics.split('\n').find((one) => one.startsWith(prefix));
    return line === undefined ? 0 : Number(line.slice(prefix.length));
  });
}
