import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type ProgramEnvironment, spawnProgram } from '@core/world';
import { fieldOf } from './startTestApi.ts';

/** The real program as a child process. */
export interface SpawnedApi {
  readonly url: string;
  readonly child: ChildProcess;
  /** Resolves with the signal or code the process ended with. */
  readonly ended: Promise<string | number | null>;
  stop(): Promise<void>;
}

/**
 * Start `main.ts` with the given environment and wait until it listens.
 * @throws Error with the code it ended with.
 */
export async function spawnApi(environment: ProgramEnvironment): Promise<SpawnedApi> {
  const env = { NODE_ENV: 'test', ...environment };
  const child = spawnProgram('api', { stdio: ['ignore', 'pipe', 'inherit'], env });
  const ended = once(child, 'exit').then(([code, signal]: (string | number | null)[]) => signal ?? code ?? null);
  const url = await listeningUrl(child);
  if (url === null) throw new Error(`ended: ${await ended}`);
  return {
    url,
    child,
    ended,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Null when the program's output ends without it. */
async function listeningUrl(child: ChildProcess): Promise<string | null> {
  if (child.stdout === null) throw new Error('the program has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    const entry: unknown = JSON.parse(line);
    if (fieldOf(entry, 'msg') === 'listening') {
      // Keep reading, or a full pipe would stop the program.
      child.stdout.resume();
      return String(fieldOf(entry, 'url'));
    }
  }
  return null;
}
