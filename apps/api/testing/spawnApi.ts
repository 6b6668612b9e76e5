import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { fieldOf } from './startTestApi.ts';

/** The real program as a child process. */
export interface SpawnedApi {
  readonly url: string;
  readonly child: ChildProcess;
  /** Resolves with the signal or code the process ended with. */
  readonly ended: Promise<string | number | null>;
  stop(): Promise<void>;
}

const mainPath = fileURLToPath(new URL('../src/main.ts', import.meta.url));

/**
 * Start `main.ts` with the given environment and wait until it listens.
 * @throws Error with the code it ended with.
 */
export async function spawnApi(environment: Readonly<Record<string, string>>): Promise<SpawnedApi> {
  const child = spawn(process.execPath, [mainPath], {
    env: {
      PATH: process.env['PATH'],
      // Filled by the first that ends, so that the others need not compile again.
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      NODE_ENV: 'test',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
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
