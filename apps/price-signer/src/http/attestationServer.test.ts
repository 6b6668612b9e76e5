import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { AttestationAnswer } from '@core/attestation';
import pino from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { startAttestationServer } from './attestationServer.ts';
import { RequestSlots } from './requestSlots.ts';
import { signerMetrics } from './signerMetrics.ts';

const bearerSecret = 'a secret of the test';
const sockets: Socket[] = [];
const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const close of closers.splice(0)) await close();
  vi.useRealTimers();
});

async function serverThat(attest: () => Promise<AttestationAnswer>) {
  const server = await startAttestationServer({
    port: 0,
    bearerSecret,
    address: '0x0000000000000000000000000000000000000001',
    attest,
    grant: async () => ({ kind: 'refused', code: 'not_due' }),
    countersignGrant: async () => ({ kind: 'refused', code: 'not_due' }),
    countersign: () => Promise.resolve({ kind: 'refused', code: 'not_due' }),
    grantBatch: () => Promise.reject(new Error('no batch is requested')),
    countersignGrantBatch: () => Promise.reject(new Error('no batch is requested')),
    isReady: () => true,
    nodes: () => ({}),
    metrics: signerMetrics(),
    logger: pino({ level: 'silent' }),
  });
  closers.push(() => server.close());
  const { port } = new URL(server.url);
  const ask = (): Promise<Response> =>
    fetch(`${server.url}/attestations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearerSecret}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        position_key: `0x${'ab'.repeat(32)}`,
        purpose: 'close',
        token_units: '5000000',
        quoted_risk: null,
      }),
    });
  const dial = async (text: string): Promise<Socket> => {
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
    socket.write(text);
    return socket;
  };
  return { ask, dial };
}

const refusal = (): Promise<AttestationAnswer> => Promise.resolve({ kind: 'refused', code: 'not_due' });

test.each([
  ['say nothing', ''],
  ['never end their headers', 'POST /attestations HTTP/1.1\r\nhost: signer\r\n'],
  [
    'never send their body',
    `POST /attestations HTTP/1.1\r\nhost: signer\r\nauthorization: Bearer ${bearerSecret}\r\ncontent-length: 4000\r\n\r\n{`,
  ],
])('server: three hundred connections that %s → a request is answered', async (_what, text) => {
  const { ask, dial } = await serverThat(refusal);
  for (let count = 0; count < 300; count += 1) await dial(text);
  expect((await ask()).status).toBe(409);
});

test('server: some requests hang → others are answered, and each hanging one ends with 503 in time', async () => {
  let isHanging = true;
  const never = new Promise<AttestationAnswer>(() => undefined);
  const { ask } = await serverThat(() => (isHanging ? never : refusal()));
  const hanging = Array.from({ length: 40 }, () => ask());
  await vi.waitUntil(() => true);
  isHanging = false;
  expect((await ask()).status).toBe(409);
  expect(new Set((await Promise.all(hanging)).map(({ status }) => status)).size).toBeLessThanOrEqual(2);
});

test('slots: work hangs → its slot is freed at the limit, and concurrency stays within the bound', async () => {
  vi.useFakeTimers();
  const slots = new RequestSlots(2);
  const never = (): Promise<string> => new Promise(() => undefined);
  const hanging = [slots.take(never, 1_000), slots.take(never, 1_000)];
  expect(await slots.take(() => Promise.resolve('done'), 1_000)).toBeNull();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await Promise.all(hanging)).toEqual([null, null]);
  expect(await slots.take(() => Promise.resolve('done'), 1_000)).toBe('done');
  await expect(slots.take(() => Promise.reject(new Error('failed')), 1_000)).rejects.toThrow('failed');
  expect(await slots.take(() => Promise.resolve('again'), 1_000)).toBe('again');
});
