import { FriendlyError } from '@core/runtime';
import { type DevnetEnv, readEnv } from './env.ts';
import { Progress } from './progress.ts';
import { checkMachine } from './stack/checkMachine.ts';
import { type Stack, startStack } from './stack/startStack.ts';
import type { StackFile } from './stack/state/stackFile.ts';
import { openStateFolder, type StateFolder } from './stack/state/stateFolder.ts';
import { watchLaunchers } from './stack/supervision/launcher.ts';
import { parseStartArguments, type StartArguments, startHelp } from './startArguments.ts';

const write = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Run the local stack until Ctrl-C or SIGTERM. Returns the exit code. */
export async function runStack(
  given: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const interruption = new AbortController();
  const endOnce = (): void => {
    interruption.abort();
    end();
  };
  // Handled from the first moment: a signal during the start stops all started programs.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, endOnce);
  // The reader of the output may end before everything has stopped.
  process.stdout.on('error', () => undefined);
  const launchers = watchLaunchers(endOnce);
  const progress = new Progress({
    write: (text) => void process.stdout.write(text),
    isTerminal: process.stdout.isTTY,
    nowMs: () => performance.now(),
  });
  try {
    const options = parseStartArguments(given);
    if (options.wantsHelp) {
      write(startHelp());
      return 0;
    }
    const env = readEnv(environment);
    const folder = openStateFolder(env.LEV_STATE_DIR);
    checkMachine(folder);
    const stack = await start({ asked: options, env, folder, progress, signal: interruption.signal });
    for (const line of readyLines(stack.file, folder, launchers.elapsedSeconds())) write(line);
    await ended;
    write('  stopping …');
    await stack.stop();
    write('  stopped; the next start resumes from here');
    return 0;
  } catch (error) {
    progress.stop();
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
  progress,
  signal,
}: {
  readonly asked: StartArguments;
  readonly env: DevnetEnv;
  readonly folder: StateFolder;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}): Promise<Stack> {
  return startStack({
    folder,
    portBase: env.LEV_PORT_BASE ?? null,
    databaseServerUrl: env.DATABASE_URL ?? null,
    seed: env.LEV_SEED ?? null,
    startTime: env.LEV_START_TIME ?? null,
    route: asked.route ?? env.ROUTE ?? 'fill',
    paceSeconds: asked.paceSeconds,
    isFresh: asked.isFresh,
    signal,
    progress,
  });
}

/** Return the last lines of a start: the time since the command, and the two next steps. */
export function readyLines(
  { consoleUrl }: Pick<StackFile, 'consoleUrl'>,
  folder: Pick<StateFolder, 'stack'>,
  seconds: number,
): readonly string[] {
  return [
    '',
    `  Ready in ${Math.round(seconds)} s. Stop with Ctrl-C.`,
    '',
    `    Open the console   ${consoleUrl}`,
    '    Run the demo       npx -y pnpm@12 demo   (in a second terminal)',
    '',
    `  Addresses, API keys and test accounts: ${folder.stack}`,
    '',
  ];
}
