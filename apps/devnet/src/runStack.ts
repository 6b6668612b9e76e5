import { readEnv } from './env.ts';
import { checkMachine } from './stack/checkMachine.ts';
import { FriendlyError } from './stack/friendlyError.ts';
import { watchLaunchers } from './stack/launcher.ts';
import { startStack } from './stack/startStack.ts';
import { openStateFolder } from './stack/stateFolder.ts';

const write = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
const nameWidth = 22;

/** Runs the whole local stack until Ctrl-C, SIGTERM or the end of a program it cannot be without. Exit code. */
export async function runStack(environment: Readonly<Record<string, string | undefined>>): Promise<number> {
  const startedMs = performance.now();
  let end: (code: number) => void = () => undefined;
  const ended = new Promise<number>((resolve) => {
    end = resolve;
  });
  const interruption = new AbortController();
  const endOnce = (code: number): void => {
    interruption.abort();
    end(code);
  };
  // Heard from the first moment on: a signal during the start stops what was started so far.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => endOnce(0));
  // Whoever reads the output may be gone before everything has stopped.
  process.stdout.on('error', () => undefined);
  const launchers = watchLaunchers(() => endOnce(0));
  try {
    const env = readEnv(environment);
    const folder = openStateFolder(env.LEV_STATE_DIR);
    checkMachine(folder);
    const stack = await startStack({
      folder,
      portBase: env.LEV_PORT_BASE ?? null,
      databaseServerUrl: env.DATABASE_URL ?? null,
      seed: env.LEV_SEED,
      signal: interruption.signal,
      onReady: (name, detail) => write(`  ✔ ${name.padEnd(nameWidth)} ${detail}`),
      onNotice: (line) => write(`  · ${line}`),
      onFatal: (line) => {
        write(`  ✖ ${line}`);
        endOnce(1);
      },
    });
    const { accounts, partner } = stack.file;
    write(`  Accounts  ${accounts.map(({ name, address }) => `${name} ${address}`).join('  ')}`);
    write('            PUBLIC TEST KEYS, never send real funds');
    write(`  Partner   ${partner.apiKey}`);
    const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
    write(`  Ready in ${seconds} s. Everything is in ${folder.stack}. Stop with Ctrl-C. Try: npx pnpm@12 demo`);
    const code = await ended;
    write('  stopping …');
    await stack.stop();
    write('  stopped');
    return code;
  } catch (error) {
    if (!(error instanceof FriendlyError)) throw error;
    if (interruption.signal.aborted) {
      write('  stopped');
      return 0;
    }
    process.stderr.write(`  ✖ ${error.message}\n`);
    return 1;
  } finally {
    launchers.stop();
  }
}
