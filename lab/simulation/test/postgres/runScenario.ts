import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { createTestDatabase } from '@core/store/testing';

/** Result of a scenario, and the digest of its trace. */
export interface ScenarioReport {
  readonly result: unknown;
  readonly digest: string;
}

/** Run a scenario of a program in a process of its own, on a database of its own. */
export async function runScenario(program: URL, name: string): Promise<ScenarioReport> {
  const { databaseUrl, close } = await createTestDatabase();
  const child = spawn(process.execPath, [program.pathname, JSON.stringify({ databaseUrl, name })], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
  });
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  await close();
  return JSON.parse(output);
}
