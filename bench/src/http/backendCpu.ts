import { readFile } from 'node:fs/promises';
import type { Client } from 'pg';

/** Milliseconds of a tick of `/proc`: Linux reports processor time to user space in hundredths of a second. */
const tickMs = 10;

/** Processor time in milliseconds by backend. */
export type BackendTimes = ReadonlyMap<number, number>;

/** Return the processor time that each backend of a database has used. Its server runs on this machine. */
export async function backendTimes(client: Client): Promise<BackendTimes> {
  const { rows } = await client.query<{ pid: number }>(
    'SELECT pid FROM pg_stat_activity WHERE datname = current_database()',
  );
  const times = await Promise.all(rows.map(async ({ pid }) => [pid, await processMs(pid)] as const));
  return new Map(times.flatMap(([pid, ms]) => (ms === null ? [] : [[pid, ms] as const])));
}

/** Return the processor time between two readings; that of backends which ended in between is missing. */
export function spentMs(before: BackendTimes, after: BackendTimes): number {
  return [...after].reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? 0), 0);
}

/** Return the processor time of a process; null when it has ended. */
async function processMs(pid: number): Promise<number | null> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in parentheses, may contain blanks; user and system time follow it.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * tickMs;
  } catch (cause) {
    if (endedCodes.has(Reflect.get(Object(cause), 'code'))) return null;
    throw cause;
  }
}

/** Codes of a read for a process that is gone. */
const endedCodes: ReadonlySet<unknown> = new Set(['ENOENT', 'ESRCH']);
