import { execFileSync } from 'node:child_process';
import { isAlive } from '@core/store';

interface Ancestor {
  readonly pid: number;
  readonly command: string;
  /** Age of the process. */
  readonly seconds: number;
}

const watchMs = 500;
/** Pattern of a package manager under its own name, or run by Node from its file. */
const packageManager = /^(\S*\/)?((npm|npx|pnpm)(\s|$)|node\S*\s+\S*(npm|npx|pnpm)\S*(\s|$))/;

/** Processes through which this one was started. */
export interface Launchers {
  /** Time since the command: since the eldest launcher began, or this process without one. */
  readonly elapsedSeconds: () => number;
  stop(): void;
}

/**
 * Watch the package managers through which this process was started. They may end without passing a signal on, and
 * leave their children running for ever.
 *
 * @param onGone Called once when any of them ends.
 */
export function watchLaunchers(onGone: () => void): Launchers {
  const launchers = launchersOf(ancestorsOf(process.ppid));
  const eldestSeconds = launchers.at(-1)?.seconds ?? 0;
  const readMs = performance.now();
  const elapsedSeconds = () =>
    Math.max(performance.now() / 1_000, eldestSeconds + (performance.now() - readMs) / 1_000);
  if (launchers.length === 0) return { elapsedSeconds, stop: () => undefined };
  const timer = setInterval(() => {
    if (launchers.every(({ pid }) => isAlive(pid))) return;
    clearInterval(timer);
    onGone();
  }, watchMs);
  timer.unref();
  return { elapsedSeconds, stop: () => clearInterval(timer) };
}

/** Return the ancestors up to the eldest package manager, shells between them included, interactive shells excluded. */
export function launchersOf<Process extends Pick<Ancestor, 'command'>>(
  ancestors: readonly Process[],
): readonly Process[] {
  const eldest = ancestors.findLastIndex(({ command }) => packageManager.test(command));
  return ancestors.slice(0, eldest + 1);
}

function ancestorsOf(parentPid: number): readonly Ancestor[] {
  const processes = processTable();
  const ancestors: Ancestor[] = [];
  for (let pid = parentPid; pid > 1; ) {
    const ancestor = processes.get(pid);
    if (ancestor === undefined) break;
    ancestors.push(ancestor);
    pid = ancestor.parentPid;
  }
  return ancestors;
}

/** Return all processes by id; none where there is no `ps`. */
function processTable(): ReadonlyMap<number, Ancestor & { readonly parentPid: number }> {
  const rows = outputOf('ps', ['-Ao', 'pid=,ppid=,etime=,args=']).split('\n');
  return new Map(
    rows.flatMap((row) => {
      const [, pid, parentPid, age = '', command = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(row) ?? [];
      if (pid === undefined) return [];
      return [
        [Number(pid), { pid: Number(pid), parentPid: Number(parentPid), seconds: secondsOf(age), command }] as const,
      ];
    }),
  );
}

/** Parse an age in the format of `ps`: `[[days-]hours:]minutes:seconds`. */
export function secondsOf(age: string): number {
  const [clock = '', days = '0'] = age.split('-').toReversed();
  const seconds = clock.split(':').reduce((sum, part) => 60 * sum + Number(part), 0);
  return Number(days) * 86_400 + seconds;
}

function outputOf(command: string, args: readonly string[]): string {
  try {
    return execFileSync(command, args, { encoding: 'utf8', maxBuffer: 64 * 1_024 * 1_024 });
  } catch {
    // Without this program other processes are unknown.
    return '';
  }
}
