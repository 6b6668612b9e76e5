import { type ChildProcess, fork } from 'node:child_process';
import { openSync } from 'node:fs';
import { devNull } from 'node:os';
import { fileURLToPath } from 'node:url';

/** A contestant in a process of its own, so that it shares no event loop with the load. */
export interface ServerProcess {
  readonly port: number;
  /** Facts that the process reported when it was ready. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** Return the processor time of the process in milliseconds. */
  cpuMs(): Promise<number>;
  /** Return the answer of the process to a question of its program. */
  ask(question: string): Promise<Readonly<Record<string, unknown>>>;
  close(): Promise<void>;
}

const programs = {
  service: 'servers/service.ts',
  floor: 'servers/floor.ts',
  naive: 'servers/naive.ts',
  venue: 'servers/venue.ts',
} as const;

/** Start a program with its setup. @throws Error when the process ends before it is ready. */
export async function startServer(
  name: keyof typeof programs,
  setup: object,
  execArgv: readonly string[] = [],
): Promise<ServerProcess> {
  const log = openSync(process.env['BENCH_LOG'] ?? devNull, 'a');
  const child = fork(fileURLToPath(new URL(programs[name], import.meta.url)), [JSON.stringify(setup)], {
    stdio: ['ignore', log, 'inherit', 'ipc'],
    execArgv: [...execArgv],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const facts = await nextMessage(child);
  const ask = (question: string): Promise<Record<string, unknown>> => {
    child.send(question);
    return nextMessage(child);
  };
  return {
    port: Number(facts['port']),
    facts,
    cpuMs: async () => Number((await ask('cpu'))['cpuMs']),
    ask,
    close: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.send('close');
      await ended;
    },
  };
}

function nextMessage(child: ChildProcess): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`a server ended with ${code}`));
    child.once('exit', onExit);
    child.once('message', (message) => {
      child.removeListener('exit', onExit);
      resolve(typeof message === 'object' ? { ...message } : {});
    });
  });
}
