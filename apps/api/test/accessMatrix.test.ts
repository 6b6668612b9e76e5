import { lowerHex } from '@core/position';
import { samplePosition } from '@core/position/testing';
import { errorEnvelopeSchema, type RouteDefinition, routes } from '@core/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CredentialFault } from '../src/auth/credentialFault.ts';
import { UserTokens } from '../src/auth/userTokens.ts';
import { unauthorized } from '../src/http/unauthorized.ts';
import { quoteBody as common } from '../testing/quoteBody.ts';
import { codeOf, fieldOf, startTestApi, type TestApi, textWithoutId, wallets } from '../testing/startTestApi.ts';

let api: TestApi;
const credentials = new Map<string, string | undefined>();
const definitions: ReadonlyArray<readonly [string, RouteDefinition]> = Object.entries(routes);
/** Resources of the first partner's wallet alice, by the path parameter that names them. */
const owned = { positionId: '', draftId: '' };
const quoteBody = { ...common, leverage_bps: 20_000, slippage_bps: 500 };
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
  const orphanToken = await here.issue({ ...subject, partnerId: 'ptn_gone' });
  owned.positionId = samplePosition(1).id;
  const marketId = (await store.markets.byTicker('btc-up'))?.id ?? '';
  await store.positions.put({
    position: samplePosition(1, { partnerId, walletAddress: lowerHex(wallets.alice), marketId }),
    transactions: [],
    unwinds: [],
    partialCloses: [],
    ledger: [],
  });
  const alice = await api.userOf(wallets.alice);
  owned.draftId = String(
    fieldOf((await api.call('/draft-quotes', { authorization: alice, body: quoteBody })).body, 'id'),
  );
  credentials.set('none', undefined);
  credentials.set('empty', 'Bearer ');
  credentials.set('other scheme', 'Basic dXNlcjpwYXNz');
  credentials.set('key under the wrong scheme', `Bearer ${partners[0]?.apiKey ?? ''}`);
  credentials.set('key of another environment', `Api-Key live_skey_${'a'.repeat(40)}`);
  credentials.set('unknown key', `Api-Key sbx_skey_${'a'.repeat(43)}`);
  const forged = (await here.issue(subject)).token;
  credentials.set('forged token', `Bearer ${forged.slice(0, -8)}AAAAAAAA`);
  credentials.set('revoked key', `Api-Key ${revoked.secret}`);
  credentials.set('token of another environment', `Bearer ${(await elsewhere.issue(subject)).token}`);
  credentials.set('expired token', `Bearer ${(await past.issue(subject)).token}`);
  credentials.set('token of a partner that is gone', `Bearer ${orphanToken.token}`);
  credentials.set('token under the wrong scheme', `Api-Key ${(await here.issue(subject)).token}`);
  credentials.set('valid key', api.keyOf());
  credentials.set('valid token', await api.userOf(wallets.alice));
});
afterAll(() => api.close());

/** Fault of each credential that identifies no one; the others identify a caller. */
const causes: Readonly<Record<string, CredentialFault>> = {
  none: 'missing',
  empty: 'malformed',
  'other scheme': 'malformed',
  'key under the wrong scheme': 'malformed',
  'key of another environment': 'other_environment',
  'unknown key': 'unknown',
  'revoked key': 'revoked',
  'token of another environment': 'other_environment',
  'expired token': 'expired',
  'forged token': 'unknown',
  'token of a partner that is gone': 'unknown',
  'token under the wrong scheme': 'malformed',
};

/** Valid credentials that each level accepts. */
const accepted: Record<RouteDefinition['auth'], readonly string[]> = {
  partner: ['valid key'],
  user: ['valid token'],
  user_or_partner: ['valid key', 'valid token'],
  public: [],
};

describe.each(addresses)('F20: $route.method $path', ({ route, path }) => {
  const callAs = (authorization: string | undefined) =>
    api.call(path, {
      method: route.method,
      ...(authorization !== undefined && { authorization }),
      ...(route.method === 'POST' && { body: {} }),
    });

  test('every credential that is not accepted answers 401 unauthorized, with the sentence of its cause', async () => {
    const refusals = [...credentials].filter(
      ([kind]) => route.auth !== 'public' && !accepted[route.auth].includes(kind),
    );
    const answers = await Promise.all(refusals.map(([, authorization]) => callAs(authorization)));
    expect(answers.map((answer) => [answer.status, codeOf(answer)])).toEqual(refusals.map(() => [401, 'unauthorized']));
    const expectedDetails = refusals.map(([kind]) => [kind, unauthorized(route.auth, causes[kind] ?? null).detail]);
    expect(answers.map(({ body }, index) => [refusals[index]?.[0], fieldOf(body, 'error', 'message')])).toEqual(
      expectedDetails,
    );
  });

  test('every credential that is accepted passes', async () => {
    const kinds = route.auth === 'public' ? [...credentials.keys()] : accepted[route.auth];
    const answers = await Promise.all(kinds.map((kind) => callAs(credentials.get(kind))));
    expect(answers.filter(({ status }) => status === 401)).toEqual([]);
  });

  test('every answer carries request id, rate headers and a well-formed body', async () => {
    for (const [, authorization] of credentials) {
      const answer = await callAs(authorization);
      const expectedDetails = ['request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
      expect(expectedDetails.filter((header) => answer.headers.get(header) === null)).toEqual([]);
      expect(answer.status < 300 || errorEnvelopeSchema.safeParse(answer.body).success).toBe(true);
    }
  });
});

/** Routes whose path names something that one wallet of one partner owns, found by the name of the parameter. */
const ownedRoutes = addresses.filter(({ route }) => /\{(position_id|draft_quote_id)\}/.test(route.path));

test('every path parameter is known to be owned by a wallet, or to be public', () => {
  const names = new Set(
    definitions.flatMap(([, { path }]) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)),
  );
  expect(names).toEqual(new Set(['draft_quote_id', 'event_ticker', 'position_id', 'series_ticker', 'ticker']));
  expect(ownedRoutes).toHaveLength(6);
});

describe.each(ownedRoutes)("F20: $route.method $route.path of another caller's", ({ name, route, path }) => {
  test('wallet or partner answers like one that does not exist, to the byte', async () => {
    const isDraft = route.path.includes('draft');
    const own = isDraft ? owned.draftId : owned.positionId;
    const unknown = isDraft ? 'dro_00000000000000000000000000' : 'pos_00000000000000000000000000';
    const callAs = (authorization: string, id: string) =>
      api.call(path.replace('something', id), { method: route.method, authorization });
    const others = [
      await api.userOf(wallets.bob),
      await api.userOf(wallets.alice, 1),
      await api.userOf(wallets.bob, 1),
      await api.userOf(wallets.solana),
    ];
    const answers = await Promise.all(
      others.flatMap((authorization) => [callAs(authorization, own), callAs(authorization, unknown)]),
    );
    expect(answers.map(({ status }) => [name, status])).toEqual(answers.map(() => [name, 404]));
    expect(new Set(answers.map(textWithoutId)).size).toBe(1);
    expect((await callAs(await api.userOf(wallets.alice), own)).status).toBe(route.response.status);
  });
});

/** Lists of what a wallet owns: everything under /positions and the limits. */
const scoped = addresses.filter(({ name }) => /^(list\w*Positions|get\w+Limits)$/.test(name));
test.each(scoped)('F20: $route.path shows nothing of another wallet or partner', async ({ route, path }) => {
  const address = path.replace('something', route.path.includes('events') ? 'event-of-btc-up' : 'btc-up');
  const listPath = address.replace('/series/btc-up', '/series/series-1');
  const callers =
    route.auth === 'partner' ? [api.keyOf(1)] : [await api.userOf(wallets.bob), await api.userOf(wallets.alice, 1)];
  for (const authorization of callers) {
    const answer = await api.call(listPath, { authorization });
    expect(answer.status).toBe(200);
    expect(answer.text).not.toContain(owned.positionId);
    expect(fieldOf(answer.body, 'data') ?? []).toEqual([]);
    expect(fieldOf(answer.body, 'usage_usd_pips') ?? '0').toBe('0');
  }
});
