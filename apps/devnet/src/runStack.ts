import { FriendlyError } from '@core/runtime';
import { type DevnetEnv, readEnv } from './env.ts';
import { checkMachine } from './stack/checkMachine.ts';
import { type Stack, startStack } from './stack/startStack.ts';
import { openStateFolder, type StateFolder } from './stack/state/stateFolder.ts';
import { watchLaunchers } from './stack/supervision/launcher.ts';
import { parseStartArguments, type StartArguments, startHelp } from './startArguments.ts';
import { unwindHintLines, unwindHintOf } from './unwindHint.ts';

const write = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
const nameWidth = 22;

/** Runs the whole local stack until Ctrl-C or SIGTERM. Exit code. */
export async function runStack(
  given: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const startedMs = performance.now();
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const interruption = new AbortController();
  const endOnce = (): void => {
    interruption.abort();
    end();
  };
  // Heard from the first moment on: a signal during the start stops what was started so far.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, endOnce);
  // The reader of the output may be gone before everything has stopped.
  process.stdout.on('error', () => undefined);
  const launchers = watchLaunchers(endOnce);
  try {
    const asked = parseStartArguments(given);
    if (asked.wantsHelp) {
      write(startHelp());
      return 0;
    }
    const env = readEnv(environment);
    const folder = openStateFolder(env.LEV_STATE_DIR);
    checkMachine(folder);
    const stack = await start({ asked, env, folder, signal: interruption.signal });
    await printReady(stack, folder, startedMs);
    await ended;
    write('  stopping …');
    await stack.stop();
    write('  stopped; the next start goes on from here');
    return 0;
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

function start({
  asked,
  env,
  folder,
  signal,
}: {
  readonly asked: StartArguments;
  readonly env: DevnetEnv;
  readonly folder: StateFolder;
  readonly signal: AbortSignal;
}): Promise<Stack> {
  return startStack({
    folder,
    portBase: env.LEV_PORT_BASE ?? null,
    databaseServerUrl: env.DATABASE_URL ?? null,
    seed: env.LEV_SEED ?? null,
    isFresh: asked.isFresh,
    signal,
    onReady: (name, detail) => write(`  ✔ ${name.padEnd(nameWidth)} ${detail}`),
    onNotice: (line) => write(`  · ${line}`),
  });
}

async function printReady({ file }: Stack, folder: StateFolder, startedMs: number): Promise<void> {
  const { accounts, partner } = file;
  write(`  Accounts  ${accounts.map(({ name, address }) => `${name} ${address}`).join('  ')}`);
  write('            PUBLIC TEST KEYS, never send real funds');
  write(`  Partner   ${partner.apiKey}`);
  const hint = await unwindHintOf(file);
  for (const line of hint === null ? [] : unwindHintLines(hint, file.venueUrl)) write(line);
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
  write(`  Ready in ${seconds} s. Everything is in ${folder.stack}. Stop with Ctrl-C. Try: npx pnpm@12 demo`);
}
