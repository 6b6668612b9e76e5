import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

type Hex = `0x${string}`;

/** What a test reads of the file in which a stack describes itself. */
export interface StackFile {
  readonly apiUrl: string;
  readonly rpcUrl: string;
  readonly consoleUrl: string;
  readonly venueUrl: string;
  readonly contracts: { readonly vault: Hex; readonly pool: Hex };
  readonly partner: { readonly apiKey: string };
  readonly accounts: readonly { readonly name: string; readonly address: Hex; readonly privateKey: Hex }[];
  readonly processes: Readonly<Record<string, number>>;
}

/** One of the named accounts of a stack. */
export function accountOf(file: StackFile, wanted: string): StackFile['accounts'][number] {
  const account = file.accounts.find(({ name }) => name === wanted);
  if (account === undefined) throw new Error(`the stack has no account ${wanted}`);
  return account;
}

export interface RunningStack {
  file(): StackFile;
  stop(): Promise<void>;
}

const devnet = fileURLToPath(new URL('../../devnet/', import.meta.url));

/** The whole local stack as people start it, in a folder of its own. */
export async function startStack(): Promise<RunningStack> {
  const folder = mkdtempSync(path.join(tmpdir(), 'console-stack-'));
  const env = {
    ...process.env,
    LEV_STATE_DIR: folder,
    LEV_PORT_BASE: String(22_000 + (process.pid % 400) * 10),
    DATABASE_URL: '',
  };
  const runner = spawn(process.execPath, [path.join(devnet, 'start.mjs')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  runner.stdout?.on('data', (text) => {
    output += String(text);
  });
  const twin = path.join(folder, 'stack.json');
  while (!existsSync(twin)) {
    if (runner.exitCode !== null) throw new Error(`the stack did not start:\n${output}`);
    await delay(100);
  }
  return {
    file: () => JSON.parse(readFileSync(twin, 'utf8')) as StackFile,
    stop: async () => {
      await endRunner(runner);
      const reset = spawn(process.execPath, [path.join(devnet, 'src/reset/main.ts')], { env, stdio: 'ignore' });
      await once(reset, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function endRunner(runner: ChildProcess): Promise<void> {
  if (runner.exitCode !== null) return;
  runner.kill('SIGTERM');
  await once(runner, 'exit');
}
