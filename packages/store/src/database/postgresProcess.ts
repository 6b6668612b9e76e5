import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { inheritedEnvironment } from '@core/runtime';
import type { ServerUser } from './postgresUser.ts';
import { type ProcessState, processStateOf } from './processState.ts';

const run = promisify(execFile);
const readyText = 'database system is ready to accept connections';
const stopTimeoutMs = 10_000;
const keptLogLines = 5;

/** Run `initdb`. Only loopback may connect, and only with the password: every user of the machine reaches loopback. */
export async function initialiseCluster(parameters: {
  readonly initdb: string;
  readonly folder: string;
  readonly passwordFile: string;
  readonly user: ServerUser;
}): Promise<void> {
  const { initdb, folder, passwordFile, user } = parameters;
  const flags = ['--auth=scram-sha-256', '--username=postgres', '--encoding=UTF8', '--locale=C'];
  await run(initdb, [`--pgdata=${folder}`, `--pwfile=${passwordFile}`, ...flags], {
    ...user,
    cwd: '/',
    env: { ...inheritedEnvironment(), LC_ALL: 'C' },
  });
}

/** Start the server and resolve when it takes connections. Throw with the end of its log when it exits instead. */
export async function startServer(parameters: {
  readonly postgres: string;
  readonly folder: string;
  readonly port: number;
  readonly settings: readonly string[];
  readonly user: ServerUser;
}): Promise<ChildProcess> {
  const { postgres, folder, port, settings, user } = parameters;
  const flags = settings.flatMap((setting) => ['-c', setting]);
  // A session of its own: Ctrl-C in the terminal goes to us, and we stop the server after everyone that uses it.
  const child = spawn(postgres, ['-D', folder, '-p', String(port), ...flags], {
    ...user,
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...inheritedEnvironment(), LC_ALL: 'C' },
  });
  const log: string[] = [];
  await new Promise<void>((resolve, reject) => {
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log.push(...text.trim().split('\n'));
      log.splice(0, Math.max(0, log.length - keptLogLines));
      if (text.includes(readyText)) {
        resolve();
      }
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`PostgreSQL did not start: ${log.join(' | ')}`)));
  });
  child.removeAllListeners('exit');
  return child;
}

/** Fast shutdown: open transactions roll back, data is flushed. Killed when that takes too long. */
export async function stopServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) {
    return;
  }
  const exited = once(child, 'exit');
  child.kill('SIGINT');
  const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
  await exited;
  clearTimeout(timer);
}

/**
 * End a server that an earlier run of ours left on this folder when it was killed; a lock file without its server is
 * removed.
 *
 * @throws Error when a process has the id in the lock file and its command line cannot be read.
 */
export async function stopLeftover(folder: string): Promise<void> {
  const lockFile = path.join(folder, 'postmaster.pid');
  const [pidText, lockedFolder = ''] = (await readFile(lockFile, 'utf8').catch(ignoreMissing)).split('\n');
  const pid = Number(pidText);
  if (!Number.isInteger(pid) || pid <= 1) return;
  const paths = (await isSameFolder(folder, lockedFolder)) ? [folder, lockedFolder] : [folder];
  const serverState = (): ProcessState =>
    processStateOf(pid, (command) => paths.some((name) => `${command} `.includes(` ${name} `)));
  const state = serverState();
  if (state === 'unknown') {
    throw new Error(
      `process ${pid} may be the PostgreSQL of ${folder} and cannot be inspected: ` +
        `end it if it is, else delete ${lockFile}`,
    );
  }
  if (state === 'gone') {
    await rm(lockFile, { force: true });
    return;
  }
  process.kill(pid, 'SIGINT');
  const endMs = performance.now() + stopTimeoutMs;
  while (serverState() !== 'gone') {
    if (performance.now() > endMs) {
      process.kill(pid, 'SIGKILL');
    }
    await delay(50);
  }
}

/** Return true when both paths lead to one folder, such as through a link. */
async function isSameFolder(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([one, other].map((name) => realpath(name).catch(ignoreMissing)));
  return first !== '' && first === second;
}

function ignoreMissing(cause: unknown): string {
  if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return '';
  throw cause;
}
