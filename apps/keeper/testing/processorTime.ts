import { readFile } from 'node:fs/promises';

const ticksPerSecond = 100;

/** Seconds of processor that a process has used: the same on a busy machine. */
export async function cpuSecondsOf(pid: number | undefined): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}
