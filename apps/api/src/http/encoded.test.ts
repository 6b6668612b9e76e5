import { get, type IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApi, type TestApi, wallets } from '../../testing/startTestApi.ts';

let api: TestApi;
let authorization: string;
beforeAll(async () => {
  // Both readings of a list are of one build.
  api = await startTestApi({ config: { marketListAgeMs: 60_000 } });
  authorization = await api.userOf(wallets.alice);
});
afterAll(() => api.close());

/** One answer, undecoded. */
async function answerOf(path: string, headers: Readonly<Record<string, string>>) {
  const url = path.startsWith('/openapi') ? `${api.api.origin}${path}` : `${api.api.url}${path}`;
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    get(url, { headers: { authorization, ...headers } }, resolve).on('error', reject),
  );
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode, headers: response.headers, bytes: Buffer.concat(chunks) };
}

describe.each(['/markets', '/markets/btc-up', '/openapi.json'])('%s', (path) => {
  test.each([
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
  ])('Accept-Encoding %s: the answer is %s, smaller, and the same', async (accepted, encoding, decode) => {
    const plain = await answerOf(path, {});
    const encoded = await answerOf(path, { 'accept-encoding': accepted });
    expect([plain.headers['content-encoding'], encoded.headers['content-encoding']]).toEqual([undefined, encoding]);
    expect(encoded.bytes.length).toBeLessThan(plain.bytes.length / 2);
    expect(decode(encoded.bytes).toString()).toBe(plain.bytes.toString());
    for (const { headers } of [plain, encoded]) expect(headers.vary).toContain('Accept-Encoding');
    expect(encoded.headers.etag).not.toBe(plain.headers.etag);
  });

  test.each(['identity', 'zstd', 'gzip;q=0'])('Accept-Encoding %s: the answer is plain', async (accepted) => {
    const { status, headers, bytes } = await answerOf(path, { 'accept-encoding': accepted });
    expect([status, headers['content-encoding']]).toEqual([200, undefined]);
    expect(() => JSON.parse(bytes.toString())).not.toThrow();
  });

  test('a client that has the body in any encoding gets its tag alone', async () => {
    for (const accepted of ['identity', 'gzip', 'br']) {
      const { etag } = (await answerOf(path, { 'accept-encoding': accepted })).headers;
      const again = await answerOf(path, { 'accept-encoding': 'gzip', 'if-none-match': String(etag) });
      expect([accepted, again.status, again.bytes.length]).toEqual([accepted, 304, 0]);
    }
  });
});

test('a short answer stays plain', async () => {
  const { headers } = await answerOf('/contract-info', { 'accept-encoding': 'br, gzip' });
  expect(headers['content-encoding']).toBeUndefined();
});
