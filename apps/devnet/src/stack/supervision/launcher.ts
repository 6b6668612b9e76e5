import { execFileSync } from 'node:child_process';
import { isAlive } from './processes.ts';

interface Ancestor {
  readonly pid: number;
  readonly command: string;
}

const maxGenerations = 8;
const watchMs = 500;
/** A package manager under its own name, or run by Node from its file. */
const packageManager = /^(\S*\/)?((npm|npx|pnpm)(\s|$)|node\S*\s+\S*(npm|npx|pnpm)\S*(\s|$))/;

/**
 * Package managers do not always pass a signal on: one that is asked to end may end alone and leave what it has started
 * running for ever. Calls back once when any of those this process was started through is gone.
 */
export function watchLaunchers(onGone: () => void): { stop(): void } {
  const launchers = launchersOf(ancestorsOf(process.ppid));
  if (launchers.length === 0) return { stop: () => undefined };
  const timer = setInterval(() => {
    if (launchers.every(({ pid }) => isAlive(pid))) return;
    clearInterval(timer);
    onGone();
  }, watchMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

/** The ancestors up to the eldest package manager, shells between them included; no interactive shell. */
export function launchersOf(ancestors: readonly Ancestor[]): readonly Ancestor[] {
  const eldest = ancestors.findLastIndex(({ command }) => packageManager.test(command));
  return ancestors.slice(0, eldest + 1);
}

function ancestorsOf(parentPid: number): readonly Ancestor[] {
  const ancestors: Ancestor[] = [];
  let pid = parentPid;
  while (pid > 1 && ancestors.length < maxGenerations) {
    const line = lineOf(pid);
    if (line === null) break;
    ancestors.push({ pid, command: line.command });
    pid = line.parentPid;
  }
  return ancestors;
}

function lineOf(pid: number): { readonly parentPid: number; readonly command: string } | null {
  try {
    const line = execFileSync('ps', ['-o', 'ppid=,args=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    const match = /^(\d+)\s+(.*)$/s.exec(line);
    return match?.[1] === undefined ? null : { parentPid: Number(match[1]), command: match[2] ?? '' };
  } catch {
    // No such process, or no `ps`: then nothing is known of it.
    return null;
  }
}
