import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApi, type TestAnswer, type TestApi, wallets } from '../../testing/startTestApi.ts';

const shop = 'https://shop.example';
const preflight = { 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'authorization' };
const corsHeadersOf = ({ headers }: TestAnswer) =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-')).toSorted();

describe('with a list of origins', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi({ config: { corsOrigins: [shop, 'http://127.0.0.1:5173'] } });
  });
  afterAll(() => api.close());

  test('a preflight of a listed origin names the allowed headers and is charged to no one', async () => {
    const answer = await api.call('/quotes', { method: 'OPTIONS', headers: { Origin: shop, ...preflight } });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-origin')).toBe(shop);
    expect(answer.headers.get('access-control-allow-methods')).toBe('GET, POST');
    expect(answer.headers.get('access-control-allow-headers')).toContain('Authorization');
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    expect(answer.headers.get('vary')).toContain('Origin');
    expect(answer.headers.get('x-ratelimit-limit')).toBeNull();
  });

  test('answers to a listed origin allow it to read them, refusals included', async () => {
    const headers = { Origin: shop };
    const answers = [
      await api.call('/contract-info', { headers }),
      await api.call('/positions', { headers }),
      await api.call('/unknown', { headers, authorization: await api.userOf(wallets.alice) }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 404]);
    for (const answer of answers) {
      expect(answer.headers.get('access-control-allow-origin')).toBe(shop);
      expect(answer.headers.get('access-control-expose-headers')).toContain('X-RateLimit-Reset');
    }
  });

  test.each(['https://shop.example.evil', 'http://shop.example', 'https://SHOP.example', 'null'])(
    '%s is not listed and gets no header',
    async (origin) => {
      const answer = await api.call('/quotes', { method: 'OPTIONS', headers: { Origin: origin, ...preflight } });
      const called = await api.call('/contract-info', { headers: { Origin: origin } });
      expect([answer.status, called.status]).toEqual([404, 200]);
      expect([...corsHeadersOf(answer), ...corsHeadersOf(called)]).toEqual([]);
      expect(called.headers.get('vary')).toContain('Origin');
    },
  );
});

test('a wildcard port allows every port of loopback and no similar host', async () => {
  const api = await startTestApi({ config: { corsOrigins: ['http://localhost:*'] } });
  const allowedOf = async (origin: string) =>
    (await api.call('/contract-info', { headers: { Origin: origin } })).headers.get('access-control-allow-origin');
  expect(await allowedOf('http://localhost:5173')).toBe('http://localhost:5173');
  const others = [
    'http://localhost',
    'https://localhost:5173',
    'http://localhost:5173.evil',
    'http://a.localhost:5173',
  ];
  expect(await Promise.all(others.map(allowedOf))).toEqual(others.map(() => null));
  await api.close();
});

test('allows no origin by default', async () => {
  const api = await startTestApi();
  const answer = await api.call('/quotes', { method: 'OPTIONS', headers: { Origin: shop, ...preflight } });
  expect([answer.status, corsHeadersOf(answer)]).toEqual([404, []]);
  expect(corsHeadersOf(await api.call('/contract-info', { headers: { Origin: shop } }))).toEqual([]);
  await api.close();
});
