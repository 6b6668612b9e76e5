import { errorEnvelopeSchema, notImplementedRoutes, type RouteDefinition, routes } from '@core/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { UserTokens } from '../src/auth/userTokens.ts';
import { codeOf, startTestApi, type TestApi, wallets } from '../testing/startTestApi.ts';

let api: TestApi;
const credentials = new Map<string, string | undefined>();
const definitions: ReadonlyArray<readonly [string, RouteDefinition]> = Object.entries(routes);
const addresses = definitions.flatMap(([name, route]) =>
  [route.path, ...route.aliases].map((path) => ({ name, route, path: path.replaceAll(/\{\w+\}/g, 'something') })),
);

beforeAll(async () => {
  api = await startTestApi();
  const { partners, store, clock, tokenKeys } = api;
  const partnerId = partners[0]?.record.id ?? '';
  const revoked = await store.apiKeys.issue({ partnerId, environment: 'sandbox', nowMs: clock.nowMs() });
  if (revoked.kind !== 'issued') throw new Error('no key was issued');
  await store.apiKeys.revoke(revoked.record.id, clock.nowMs());
  const elsewhere = new UserTokens({ keys: tokenKeys, environment: 'production', clock });
  const subject = { partnerId, walletAddress: wallets.alice };
  const past = new UserTokens({
    keys: tokenKeys,
    environment: 'sandbox',
    clock: { nowMs: () => clock.nowMs() - 3_600_000 },
  });
  const here = new UserTokens({ keys: tokenKeys, environment: 'sandbox', clock });
  const gone = await here.issue({ ...subject, partnerId: 'ptn_gone' });
  credentials.set('none', undefined);
  credentials.set('empty', 'Bearer ');
  credentials.set('other scheme', 'Basic dXNlcjpwYXNz');
  credentials.set('key under the wrong scheme', `Bearer ${partners[0]?.apiKey ?? ''}`);
  credentials.set('key of another environment', `Api-Key live_skey_${'a'.repeat(40)}`);
  credentials.set('revoked key', `Api-Key ${revoked.secret}`);
  credentials.set('token of another environment', `Bearer ${(await elsewhere.issue(subject)).token}`);
  credentials.set('expired token', `Bearer ${(await past.issue(subject)).token}`);
  credentials.set('token of a partner that is gone', `Bearer ${gone.token}`);
  credentials.set('token under the wrong scheme', `Api-Key ${(await here.issue(subject)).token}`);
  credentials.set('valid key', api.keyOf());
  credentials.set('valid token', await api.userOf(wallets.alice));
});
afterAll(() => api.close());

/** Which of the valid credentials a level accepts. */
const accepted: Record<RouteDefinition['auth'], readonly string[]> = {
  partner: ['valid key'],
  user: ['valid token'],
  user_or_partner: ['valid key', 'valid token'],
  public: [],
};

describe.each(addresses)('$route.method $path', ({ name, route, path }) => {
  const callAs = (authorization: string | undefined) =>
    api.call(path, {
      method: route.method,
      ...(authorization !== undefined && { authorization }),
      ...(route.method === 'POST' && { body: {} }),
    });

  test('every credential that is not accepted answers 401 unauthorized, the same for all', async () => {
    const refused = [...credentials].filter(
      ([kind]) => route.auth !== 'public' && !accepted[route.auth].includes(kind),
    );
    const answers = await Promise.all(refused.map(([, authorization]) => callAs(authorization)));
    expect(answers.map((answer) => [answer.status, codeOf(answer)])).toEqual(refused.map(() => [401, 'unauthorized']));
    expect(new Set(answers.map(({ text }) => text)).size).toBeLessThanOrEqual(1);
  });

  test('every credential that is accepted passes', async () => {
    const kinds = route.auth === 'public' ? [...credentials.keys()] : accepted[route.auth];
    const answers = await Promise.all(kinds.map((kind) => callAs(credentials.get(kind))));
    expect(answers.filter(({ status }) => status === 401)).toEqual([]);
    expect(answers.map(({ status }) => status === 501)).toEqual(
      kinds.map(() => [...notImplementedRoutes].join().includes(name)),
    );
  });

  test('every answer carries request id, rate headers and a well-formed body', async () => {
    for (const [, authorization] of credentials) {
      const answer = await callAs(authorization);
      const wanted = ['request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
      expect(wanted.filter((header) => answer.headers.get(header) === null)).toEqual([]);
      expect(answer.status < 300 || errorEnvelopeSchema.safeParse(answer.body).success).toBe(true);
    }
  });
});
