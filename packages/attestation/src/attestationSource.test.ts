import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pricePips, rateBps, tokenUnits } from '@core/pricing';
import { Purpose } from '@core/vault';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isTransientRefusal } from './attestationCodes.ts';
import { type AttestationSource, httpAttestationSource } from './attestationSource.ts';

let server: Server;
let source: AttestationSource;
let answer: { readonly status: number; readonly body: string; readonly location?: string };
let received: {
  readonly path: string | undefined;
  readonly authorization: string | undefined;
  readonly body: unknown;
} | null = null;

beforeAll(async () => {
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (piece: Buffer) => {
      text += piece.toString('utf8');
    });
    request.on('end', () => {
      const { authorization } = request.headers;
      received = { path: request.url, authorization, body: text === '' ? null : JSON.parse(text) };
      const { status, body, location } = answer;
      const headers = { 'content-type': 'application/json', ...(location !== undefined && { location }) };
      response.writeHead(status, headers).end(body);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  source = httpAttestationSource({ url: `http://127.0.0.1:${port}`, secret: 'of the test' });
});

afterAll(() => {
  server.close();
});

const request = {
  positionKey: `0x${'ab'.repeat(32)}`,
  purpose: 'close',
  tokenUnits: tokenUnits(5_000_000n),
  quotedRisk: null,
} as const;

function refusing(code: string, status = 409) {
  answer = { status, body: JSON.stringify({ error: { code } }) };
  return source.attest(request);
}

test('a refusal keeps its code, and the table says whether it is transient', async () => {
  expect(await refusing('not_due')).toEqual({ kind: 'refused', code: 'not_due' });
  expect(received).toEqual({
    path: '/attestations',
    authorization: 'Bearer of the test',
    body: { position_key: request.positionKey, purpose: 'close', token_units: '5000000', quoted_risk: null },
  });
  expect([isTransientRefusal('not_due'), isTransientRefusal('book_stale')]).toEqual([false, true]);
});

test.each([
  ['a code that the table does not have', 409, 'not_a_code'],
  ['a failure', 503, 'unavailable'],
  ['a refusal of the request itself', 400, 'invalid_request'],
  ['a known code with another status', 200, 'not_due'],
])('%s is a retryable fault', async (_name, status, code) => {
  await expect(refusing(code, status)).rejects.toMatchObject({ name: 'Fault', origin: 'signer', retryable: true });
});

test('a countersignature request uses its own path', async () => {
  const signature = `0x${'1f'.repeat(65)}`;
  answer = { status: 200, body: JSON.stringify({ signature }) };
  const attestation = {
    marketId: `0x${'01'.repeat(32)}`,
    tokenId: 7n,
    purpose: Purpose.Close,
    markPips: pricePips(5_000n),
    limitPips: pricePips(4_900n),
    triggerPips: pricePips(0n),
    venueFeeBps: rateBps(200n),
    exitBufferBps: rateBps(800n),
    observedAt: 1_700_000_000n,
  } as const;
  expect(await source.countersign({ request, attestation })).toEqual({ kind: 'signed', signature });
  expect(received).toMatchObject({ path: '/countersignatures', body: { attestation: { token_id: '7' } } });
  answer = { status: 409, body: JSON.stringify({ error: { code: 'mark_disagrees' } }) };
  expect(await source.countersign({ request, attestation })).toEqual({ kind: 'refused', code: 'mark_disagrees' });
  answer = { status: 401, body: JSON.stringify({ error: { code: 'unauthorized' } }) };
  await expect(source.countersign({ request, attestation })).rejects.toMatchObject({ origin: 'signer' });
});

test('a batch and its countersignature use their own paths', async () => {
  const signature = `0x${'1f'.repeat(65)}`;
  const { positionKey } = request;
  const batchRequest = {
    purpose: 'close',
    members: [{ positionKey, mostUnits: 5_000_000n, quotedRisk: null }],
  } as const;
  answer = { status: 409, body: JSON.stringify({ error: { code: 'not_due' } }) };
  expect(await source.grantBatch(batchRequest)).toEqual({ kind: 'refused', code: 'not_due' });
  expect(received).toMatchObject({ path: '/grant-batches', body: { members: [{ most_units: '5000000' }] } });
  const member = {
    positionKey,
    mostUnits: 5_000_000n,
    limitPips: pricePips(4_900n),
    triggerPips: pricePips(0n),
    venueFeeBps: rateBps(200n),
  };
  const batch = {
    marketId: `0x${'01'.repeat(32)}`,
    tokenId: 7n,
    purpose: Purpose.Close,
    markPips: pricePips(5_000n),
    observedAt: 1_700_000_000n,
    validFor: 6,
    notAfter: 1_700_000_100n,
    members: [member],
  } as const;
  answer = { status: 200, body: JSON.stringify({ signature }) };
  expect(await source.countersignGrantBatch({ request: batchRequest, batch })).toEqual({ kind: 'signed', signature });
  expect(received).toMatchObject({
    path: '/grant-batch-countersignatures',
    body: { request: { purpose: 'close' }, batch: { members: [{ limit_pips: 4_900 }] } },
  });
});

test('readyAddress: returns the address of a ready signer', async () => {
  const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
  answer = { status: 200, body: JSON.stringify({ status: 'ready', address: address.toLowerCase() }) };
  expect(await source.readyAddress()).toBe(address);
  for (const body of ['{"status":"ready"}', '{"status":"ready","address":"0x12"}', 'no JSON']) {
    answer = { status: 200, body };
    expect(await source.readyAddress()).toBeNull();
  }
  answer = { status: 503, body: JSON.stringify({ status: 'not_ready', address }) };
  expect(await source.readyAddress()).toBeNull();
  expect(await httpAttestationSource({ url: 'http://127.0.0.1:9', secret: 'of the test' }).readyAddress()).toBeNull();
});

test('a body that is no JSON, and no answer at all, are retryable faults too', async () => {
  answer = { status: 409, body: 'no JSON' };
  await expect(source.attest(request)).rejects.toMatchObject({ origin: 'signer', retryable: true });
  const away = httpAttestationSource({ url: 'http://127.0.0.1:9', secret: 'of the test' });
  await expect(away.attest(request)).rejects.toMatchObject({ origin: 'signer', retryable: true });
});

test.each([301, 307])('a redirect with %d is a fault, and nothing is sent on', async (status) => {
  answer = { status, body: '', location: '/elsewhere' };
  await expect(source.attest(request)).rejects.toMatchObject({
    origin: 'signer',
    retryable: true,
    message: expect.stringMatching(/redirects \(\d+\): set the address/),
  });
  expect(received).toMatchObject({ path: '/attestations' });
  expect(await source.readyAddress()).toBeNull();
  expect(received).toMatchObject({ path: '/readyz' });
});
