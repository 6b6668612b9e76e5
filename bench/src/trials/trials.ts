import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { TrialResult } from '../harness/report.ts';

/** A measurement of a whole stack. It takes minutes, brings its own floor, and says what it found in lines of text. */
interface Trial {
  readonly name: string;
  /** From the root of the repository. */
  readonly script: string;
  readonly args?: readonly string[];
  /** What it prints is a part of a page, not lines of text. */
  readonly isMarkdown?: boolean;
}

/** Run only when they are named. */
export const trials: readonly Trial[] = [
  { name: 'growth', script: 'bench/src/trials/growth.ts', isMarkdown: true },
  { name: 'event-latency', script: 'bench/src/trials/eventLatency.ts' },
  { name: 'live-markets', script: 'bench/src/trials/liveMarkets.ts' },
  { name: 'keeper-idle', script: 'apps/keeper/testing/measureIdle.ts' },
  {
    name: 'keeper-tick',
    script: 'apps/keeper/testing/measureDue.ts',
    args: ['--idle', '100000', '--rounds', 'tick'],
  },
  { name: 'keeper-due', script: 'apps/keeper/testing/measureDue.ts' },
  {
    name: 'keeper-due-1000',
    script: 'apps/keeper/testing/measureDue.ts',
    args: ['--due', '1000', '--rounds', 'alone,together'],
  },
  {
    // A stack of its own: no venue lists enough markets for the two thousand positions of both.
    name: 'keeper-closing-1000',
    script: 'apps/keeper/testing/measureDue.ts',
    args: ['--closing', '1000', '--rounds', 'alone,behind'],
  },
];

/** Runs a trial in a process of its own, showing each line as it comes. @throws Error when it did not end well. */
export async function runTrial({ name, script, args = [], isMarkdown = false }: Trial): Promise<TrialResult> {
  const file = fileURLToPath(new URL(`../../../${script}`, import.meta.url));
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    process.stdout.write(`${line}\n`);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${name} ended with ${code}`);
  return { name, isMarkdown, lines };
}
