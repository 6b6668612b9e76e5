import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const programPath = fileURLToPath(new URL('../testing/sampleProgram.ts', import.meta.url));

/** Run the sample program; each awaited line is answered by a signal. */
async function run(
  mode: string | undefined,
  signals: Readonly<Record<string, NodeJS.Signals>> = {},
  onOutput: (text: string) => void = () => undefined,
) {
  const child = spawn(process.execPath, [programPath], {
    env: { PATH: process.env['PATH'], ...(mode === undefined ? {} : { SAMPLE_MODE: mode }) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (piece: Buffer) => {
    stdout += String(piece);
    onOutput(stdout);
    for (const [message, signal] of Object.entries(signals)) {
      if (String(piece).includes(`"msg":"${message}"`)) child.kill(signal);
    }
  });
  child.stderr.on('data', (piece: Buffer) => {
    stderr += String(piece);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

test.each(['SIGTERM', 'SIGINT'] as const)('%s closes it and ends it with 0', async (signal) => {
  const { code, stdout } = await run('works', { ready: signal });
  expect(code).toBe(0);
  expect(stdout).toMatch(/"msg":"closing"[\s\S]*"msg":"stopped"/);
});

test('a signal during the start: the program ends at once and cleanly', async () => {
  expect((await run('starts for ever', { starting: 'SIGTERM' })).code).toBe(0);
});

test('a neighbour without an answer: the program logs the wait and starts with the answer', async () => {
  const place = createServer().listen(0, '127.0.0.1');
  await once(place, 'listening');
  const address = place.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  place.close();
  const neighbour = createServer((_request, response) => void response.writeHead(404).end());
  const url = `http://127.0.0.1:${port}`;
  const { code, stdout } = await run(`waits for ${url}`, { ready: 'SIGTERM' }, (text) => {
    if (text.includes('waiting for') && !neighbour.listening) neighbour.listen(port, '127.0.0.1');
  });
  neighbour.close();
  expect(code).toBe(0);
  expect(stdout).toMatch(
    new RegExp(`waiting for the venue at ${url}"[\\s\\S]*the venue answers[\\s\\S]*"msg":"ready"`),
  );
});

test('a second signal: a hanging close is ended', async () => {
  expect((await run('closes for ever', { ready: 'SIGTERM', closing: 'SIGINT' })).code).toBe(1);
});

test.each([
  ['closes for ever, limited', 'sample: no end within 200 ms'],
  ['has a hanging task', 'prices: no end within 200 ms'],
])('a program that %s: one signal ends it with 1, and the log names what hangs', async (mode, message) => {
  const { code, stdout } = await run(mode, { ready: 'SIGTERM' });
  expect(code).toBe(1);
  expect(stdout).toContain('"msg":"the shutdown failed"');
  expect(stdout).toContain(message);
});

test('a close that fails is logged and ends it with 1', async () => {
  const { code, stdout } = await run('closes badly', { ready: 'SIGTERM' });
  expect([code, stdout.includes('the shutdown failed')]).toEqual([1, true]);
});

test.each(['fails', 'breaks'])('a program that %s logs why, without its secrets, and ends with 1', async (mode) => {
  const { code, stdout, stderr } = await run(mode);
  expect(code).toBe(1);
  expect(stdout).toContain('***@rpc.example');
  expect(stdout + stderr).not.toContain('hunter22');
});

test('a friendly error is printed as one line without a stack', async () => {
  expect(await run('refuses')).toEqual({ code: 1, stdout: '', stderr: 'sample: Start the chain first.\n' });
  expect(await run(undefined)).toEqual({
    code: 1,
    stdout: '',
    stderr: 'sample: The environment of sample is not usable: SAMPLE_MODE is missing: set it to some text\n',
  });
});
