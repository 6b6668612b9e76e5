import { createServer, type Server } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { interfaceAddress } from './codecs.ts';
import { type Listening, listen } from './listen.ts';

let listening: Listening | null = null;
afterEach(async () => {
  await listening?.close();
  listening = null;
});

const answering = (): Server => createServer((_request, response) => response.setHeader('connection', 'close').end());
/** True when the port answers at an address. */
const isReachedAt = (host: string): Promise<boolean> =>
  fetch(`http://${host}:${new URL(listening?.url ?? '').port}`).then(
    () => true,
    () => false,
  );

test('listen: no host named → reached at 127.0.0.1 and at no other address', async () => {
  listening = await listen(answering(), { port: 0 });
  expect(new URL(listening.url).hostname).toBe('127.0.0.1');
  expect([await isReachedAt('127.0.0.1'), await isReachedAt('127.0.0.2')]).toEqual([true, false]);
});

test('listen: every interface → reached at each address', async () => {
  listening = await listen(answering(), { port: 0, host: '0.0.0.0' });
  expect([await isReachedAt('127.0.0.1'), await isReachedAt('127.0.0.2')]).toEqual([true, true]);
});

test.each(['127.0.0.1', '0.0.0.0', '::1', '::'])('interfaceAddress: reads %s', (text) => {
  expect(interfaceAddress.read(text)).toBe(text);
});

test.each(['localhost', '127.0.0.1:80', '256.0.0.1', 'all'])('interfaceAddress: refuses %s', (text) => {
  expect(interfaceAddress.read(text)).toBeUndefined();
});
