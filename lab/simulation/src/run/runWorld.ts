import type { Clusters } from '../outside/clusters.ts';
import { runSimulated } from './runSimulated.ts';
import type { WorldOrder, WorldReport, WorldRequest } from './worldRequest.ts';

const program = new URL('./worldProcess.ts', import.meta.url);

/**
 * Run one world in a process and on a database server of its own. A process has one clock and keeps state; transactions
 * in other databases of a server would hold up the feeds.
 */
export async function runWorld(request: WorldRequest, clusters: Clusters): Promise<WorldReport> {
  const database = await clusters.start();
  try {
    const { databaseUrl, folder } = database;
    const order: WorldOrder = { ...request, databaseUrl, folder };
    return (await runSimulated(program, JSON.stringify(order))) as WorldReport;
  } finally {
    await database.close();
  }
}

/** Return the first line in which two traces differ, with its place; null for equal ones. */
export function differenceOf(left: readonly string[], right: readonly string[]): string | null {
  const length = Math.max(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const [first = 'nothing', second = 'nothing'] = [left[index], right[index]];
    if (first !== second) return `line ${index + 1} of the trace: ${first} | ${second}`;
  }
  return null;
}
