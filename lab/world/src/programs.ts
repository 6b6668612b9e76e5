import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ProgramEnvironment } from './localWorld.ts';

const apps = new URL('../../../apps/', import.meta.url);

/** Programs of the service and of the world around it. */
type ProgramName = 'api' | 'console' | 'filler' | 'keeper' | 'price-signer' | 'venue-sim';

/** Return the file that runs a program. */
export function entryOf(program: ProgramName): string {
  return fileURLToPath(new URL(`${program}/src/main.ts`, apps));
}

/** Start a program as a process of its own, with nothing of this process's environment but paths. */
export function spawnProgram(
  program: ProgramName,
  { env, stdio }: { readonly env: ProgramEnvironment; readonly stdio: NonNullable<SpawnOptions['stdio']> },
): ChildProcess {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const entry = entryOf(program);
  // The cache is filled by the first process that ends, so that the others need not compile again.
  return spawn(process.execPath, [entry], {
    cwd: path.dirname(entry),
    stdio,
    env: { PATH, NODE_COMPILE_CACHE, ...env },
  });
}
