import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { repositoryRoot } from './tidy/workspace.ts';

/**
 * Runs the gate's tests several times without second tries and adds one row per run to the table of docs/testing.md:
 * `test:steady <count> [--busy <loops>]`. Busy loops stand for a machine that others use too.
 */
const page = join(repositoryRoot, 'docs/testing.md');
const marker = '<!-- rows of test:steady end here -->';
const busyLoop = 'for (;;);';
/** Headline of a failed package in the output of `everyPackage`. */
const failedLine = /^── (?<task>\S+) failed; its last lines:$/;

/** Run the tests once and return the names of the failed packages. */
async function failedPackages(): Promise<readonly string[]> {
  const args = ['tools/everyPackage.ts', 'test', '--once'];
  const tests = spawn('node', args, { cwd: repositoryRoot, stdio: ['ignore', 'pipe', 'inherit'] });
  const failed: string[] = [];
  createInterface({ input: tests.stdout }).on('line', (line) => {
    process.stdout.write(`${line}\n`);
    const task = failedLine.exec(line)?.groups?.['task'];
    if (task !== undefined) failed.push(task);
  });
  const [status]: (number | null)[] = await once(tests, 'close');
  return status === 0 || failed.length > 0 ? failed : ['turbo'];
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { busy: { type: 'string', default: '0' } },
});
const count = Number(positionals[0] ?? '20');
const busy = Number(values.busy);
if (!Number.isSafeInteger(count) || count < 1 || !Number.isSafeInteger(busy) || busy < 0) {
  throw new Error('usage: test:steady <count> [--busy <loops>], both whole numbers');
}
const loops = Array.from({ length: busy }, () => spawn(process.execPath, ['-e', busyLoop], { stdio: 'ignore' }));
process.once('exit', () => {
  for (const loop of loops) loop.kill('SIGKILL');
});
const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], {
  cwd: repositoryRoot,
  encoding: 'utf8',
}).stdout.trim();
for (let run = 1; run <= count; run += 1) {
  const startMs = Date.now();
  const failed = await failedPackages();
  const seconds = Math.round((Date.now() - startMs) / 1_000);
  const outcome = failed.length === 0 ? 'green' : `red: ${failed.join(', ')}`;
  const day = new Date(startMs).toISOString().slice(0, 10);
  const row = `| ${day} | ${commit} | \`test\` | ${busy} | ${seconds} s | ${outcome} |`;
  process.stdout.write(`${row}\n`);
  writeFileSync(page, readFileSync(page, 'utf8').replace(marker, `${row}\n${marker}`));
  if (failed.length > 0) process.exitCode = 1;
}
