import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { TrialResult } from '../harness/report.ts';

/** A measurement of a whole stack. It takes minutes, has its own floor, and prints its results as lines. */
interface Trial {
  readonly name: string;
  /** Path from the root of the repository. */
  readonly script: string;
  readonly args?: readonly string[];
  /** True when its output is part of a page instead of lines of text. */
  readonly isMarkdown?: boolean;
}

/** Trials, run only by name. */
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
    name: 'keepers',
    script: 'apps/keeper/testing/measureDue.ts',
    args: ['--due', '48', '--rounds', 'keepers'],
  },
  {
    name: 'keeper-shares',
    script: 'apps/keeper/testing/measureDue.ts',
    args: ['--rounds', 'change'],
  },
  { name: 'node-calls', script: 'apps/devnet/testing/measureCalls.ts', isMarkdown: true },
  { name: 'api-processes', script: 'bench/src/trials/apiProcesses.ts' },
  { name: 'read-replica', script: 'bench/src/trials/readReplica.ts' },
  {
    // A stack of its own: no venue lists enough markets for the two thousand positions of both.
    name: 'keeper-closing-1000',
    script: 'apps/keeper/testing/measureDue.ts',
    args: ['--closing', '1000', '--rounds', 'alone,behind'],
  },
];

/** Run a trial in a process of its own and show each line as it arrives. @throws Error when it fails. */
export async function runTrial({ name, script, args = [], isMarkdown = false }: Trial): Promise<TrialResult> {
  const file = fileURLToPath(new URL(`../../../${script}`, import.meta.url));
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    process.stdout.write(`${line}\n`);
  });
  const [code]: readonly unknown[] = await once(child, 'close');
  if (code !== 0) throw new Error(`${name} ended with ${code}`);
  return { name, isMarkdown, lines };
}
