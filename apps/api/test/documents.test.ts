import { errorCodes } from '@core/errors';
import { buildAsyncApi, buildOpenApi, gateways, routes, socketBasePath } from '@core/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fieldOf, startTestApi, type TestApi } from '../testing/startTestApi.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(`${api.api.origin}${path}`, { headers });

/** Hosts that a text names. */
const hostsIn = (text: string): readonly string[] =>
  [...text.matchAll(/https?:\/\/([\w.-]+(?::\d+)?)/g)].map(([, host = '']) => host);

describe('the description of the interface', () => {
  test('is OpenAPI 3.1 and names this very service', async () => {
    const response = await get('/openapi.json');
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const document: unknown = await response.json();
    expect(document).toEqual(buildOpenApi(api.api.origin));
    expect(fieldOf(document, 'servers')).toEqual([{ url: api.api.origin }]);
    expect(fieldOf(document, 'openapi')).toBe('3.1.0');
  });

  test('under a public address it names that one', async () => {
    const other = await startTestApi({ config: { publicUrl: 'https://api.example' } });
    const document: unknown = await (await fetch(`${other.api.origin}/openapi.json`)).json();
    expect(fieldOf(document, 'servers')).toEqual([{ url: 'https://api.example' }]);
    const refusal = await other.call('/positions');
    expect(fieldOf(refusal.body, 'error', 'doc_url')).toBe('https://api.example/errors/unauthorized');
    await other.close();
  });
});

describe('the reference page', () => {
  test('loads scripts of this host alone, under a policy of its own', async () => {
    const response = await get('/reference');
    const page = await response.text();
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(hostsIn(`${page}${policy}`)).toEqual([]);
    const scripts = [...page.matchAll(/src="([^"]+)"/g)].map(([, path = '']) => path);
    expect(scripts).toEqual(['/reference/settings.js', '/reference/reader.js', '/reference/start.js']);
    for (const path of scripts) {
      const script = await get(path);
      expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
    }
    expect(await (await get('/reference/start.js')).text()).not.toMatch(/proxyUrl|https?:/);
  });

  test('the policy of the page stays on the page', async () => {
    const policies = ['/reference', '/', '/healthz'].map(async (path) =>
      (await get(path)).headers.get('content-security-policy'),
    );
    expect(new Set(await Promise.all(policies)).size).toBe(3);
  });
});

describe('error pages', () => {
  test('every code has one, in HTML and in Markdown, and the index leads to it', async () => {
    const index = await (await get('/errors')).text();
    for (const code of errorCodes) {
      expect(index).toContain(`href="/errors/${code}"`);
      const page = await get(`/errors/${code}`);
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(await page.text()).toContain(`<h1><code>${code}</code></h1>`);
      const twin = await get(`/errors/${code}.md`);
      expect(twin.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
      expect(await twin.text()).toContain(`# \`${code}\``);
    }
  });

  test.each(['/errors/unknown', '/errors/__proto__', '/errors/unauthorized.txt', '/errors/%3Cscript%3E'])(
    '%s is not found, and nothing of it is repeated as HTML',
    async (path) => {
      const response = await get(path);
      expect(response.status).toBe(404);
      expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    },
  );
});

test('the home page links every document, and each link answers', async () => {
  const home = await get('/');
  expect(home.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const links = [...(await home.text()).matchAll(/href="([^"]+)"/g)].map(([, path = '']) => path);
  expect(links).toEqual(
    expect.arrayContaining(['/reference', '/openapi.json', '/asyncapi.json', '/errors', '/llms.txt']),
  );
  for (const path of links) expect([path, (await get(path)).status]).toEqual([path, 200]);
});

test('the home page and llms.txt lead to the sockets and their description', async () => {
  const base = `${api.api.origin.replace('http:', 'ws:')}${socketBasePath}`;
  const [home, text] = await Promise.all(['/', '/llms.txt'].map(async (path) => (await get(path)).text()));
  expect(home).toContain(base);
  expect(text).toContain(`[/asyncapi.json](${api.api.origin}/asyncapi.json)`);
  for (const { path, summary } of Object.values(gateways)) expect(text).toContain(`\`${base}${path}\`: ${summary}`);
  expect(await (await get('/asyncapi.json')).json()).toEqual(buildAsyncApi());
});

test('llms.txt names every route and every code', async () => {
  const text = await (await get('/llms.txt')).text();
  for (const { method, path, aliases } of Object.values(routes)) {
    for (const each of [path, ...aliases]) expect(text).toContain(`\`${method} ${each}\``);
  }
  for (const code of errorCodes) expect(text).toContain(`${api.api.origin}/errors/${code}.md`);
});

test('documents are built once, need no credential, and answer 304 to the tag they gave', async () => {
  for (const path of ['/', '/openapi.json', '/llms.txt', '/errors/unauthorized']) {
    const first = await get(path);
    const etag = first.headers.get('etag') ?? '';
    expect(first.headers.get('x-ratelimit-limit')).toBeNull();
    const again = await get(path, { 'If-None-Match': etag });
    expect([again.status, await again.text()]).toEqual([304, '']);
  }
});

test('the token keys are published without their private part', async () => {
  const response = await get('/.well-known/jwks.json');
  const { keys } = (await response.json()) as { keys: Record<string, string>[] };
  expect(keys.map(({ kid }) => kid)).toEqual(['test']);
  expect(keys.flatMap((key) => Object.keys(key))).not.toContain('d');
});
