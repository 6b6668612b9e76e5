import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, test } from 'vitest';

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
