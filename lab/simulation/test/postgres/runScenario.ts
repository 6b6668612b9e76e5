import { createTestDatabase } from '@core/store/testing';
import { runSimulated } from '../../src/run/runSimulated.ts';

/** Result of a scenario, and the digest of its trace. */
export interface ScenarioReport {
  readonly result: unknown;
  readonly digest: string;
}

/** Run a scenario of a program in a process of its own, on a database of its own. */
export async function runScenario(program: URL, name: string): Promise<ScenarioReport> {
  const { databaseUrl, close } = await createTestDatabase();
  const report = await runSimulated(program, JSON.stringify({ databaseUrl, name }));
  await close();
  return report as ScenarioReport;
}
