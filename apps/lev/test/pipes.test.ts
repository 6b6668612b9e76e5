import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { completionsOf } from '../testing/completions.ts';

const main = path.join(import.meta.dirname, '../src/main.ts');

test('a command exits with 141 and no message when the reader closes the pipe', async () => {
  const child = spawn(process.execPath, [main, '--help'], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const [code] = await once(child, 'close');
  expect([code, errors]).toEqual([141, '']);
});

test.each(['zsh', 'bash', 'fish', 'powershell'])('completion prints the script of %s', async (shell) => {
  const child = spawn(process.execPath, [main, 'completion', shell], { stdio: ['ignore', 'pipe', 'inherit'] });
  let script = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    script += text;
  });
  const [code] = await once(child, 'close');
  expect(code).toBe(0);
  expect(script).toContain('lev');
});

test('bash completes a command by the printed script, without the package bash-completion', async () => {
  const script = `
lev() { "${process.execPath}" "${main}" "$@"; }
source <(lev completion bash)
COMP_WORDS=(lev quo) COMP_CWORD=1
__lev_complete 2>/dev/null
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-c', script]);
  expect([stdout.split(/\s/)[0], stderr]).toEqual(['quote', '']);
});

test.each([[['quote', '']], [['close', '']], [['positions', '--as', '']], [['markets', 'disable', '']]])(
  'completion of %j without a service: no values and no error',
  async (words) => {
    expect(await completionsOf(words, path.join(tmpdir(), 'no-stack'))).toEqual([':4']);
  },
);

test('completion of a command: its name and summary', async () => {
  expect((await completionsOf(['quo'], tmpdir()))[0]).toMatch(/^quote\tdraft a quote/);
});
