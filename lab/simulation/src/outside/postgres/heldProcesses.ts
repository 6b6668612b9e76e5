import { readFileSync } from 'node:fs';

/**
 * Processes of the server that wait for locks and are stopped meanwhile, so that those which one transaction releases
 * together continue one after the other, and not in a race. A server of another machine or user cannot be stopped: its
 * processes race.
 */
export class HeldProcesses {
  readonly #pids = new Set<number>();

  constructor() {
    const releaseAll = (): void => {
      for (const pid of this.#pids) this.release(pid);
    };
    process.on('exit', releaseAll);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        releaseAll();
        process.kill(process.pid, signal);
      });
    }
  }

  has(pid: number): boolean {
    return this.#pids.has(pid);
  }

  /**
   * Stop a process of this machine.
   * @param own The process and the port from which its client has connected: both must fit.
   */
  hold({ pid, clientPort }: { readonly pid: number; readonly clientPort: number }): void {
    if (this.#pids.has(pid) || !titleOf(pid).includes(`(${clientPort})`)) return;
    if (signalled(pid, 'SIGSTOP')) this.#pids.add(pid);
  }

  release(pid: number): void {
    if (this.#pids.delete(pid)) signalled(pid, 'SIGCONT');
  }
}

/** Send a signal, and return false when there is no such process or it belongs to another user. */
function signalled(pid: number, signal: 'SIGSTOP' | 'SIGCONT'): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'EPERM' || code === 'ESRCH') return false;
    throw error;
  }
}

/** Return the title of a process, which names the client of a session; empty where there is none to read. */
function titleOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch (error) {
    if (error instanceof Error && 'code' in error) return '';
    throw error;
  }
}
