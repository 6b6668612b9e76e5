import { type HttpFaultProxy, type HttpFaultRule, startHttpFaultProxy, stillAt } from '@core/testkit';
import { createPublicClient, http } from 'viem';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type SpawnedApi, spawnApi } from '../testing/spawnApi.ts';
import { type Surroundings, startSurroundings } from '../testing/startSurroundings.ts';
import { fieldOf, send, wallets } from '../testing/startTestApi.ts';

let surroundings: Surroundings;
let first: HttpFaultProxy;
let api: SpawnedApi;
let quoted: { readonly authorization: string; readonly body: Record<string, unknown> };
let chainUrl: string;

beforeAll(async () => {
  surroundings = await startSurroundings();
  chainUrl = surroundings.environment['RPC_URL'] ?? '';
  first = await startHttpFaultProxy(chainUrl);
  api = await spawnOn(first.url);
  const authorization = await surroundings.userOf(api, wallets.alice);
  quoted = { authorization, body: await surroundings.warmBody(api) };
});
afterAll(async () => {
  await api.stop();
  await first.close();
  await surroundings.close();
});

/** Start the program on a first node, with the chain itself as the spare one. */
const spawnOn = (rpcUrl: string): Promise<SpawnedApi> =>
  spawnApi({ ...surroundings.environment, RPC_URL: rpcUrl, RPC_FALLBACK_URLS: chainUrl });

const quote = async () => (await send(`${api.url}/quotes`, quoted)).status;

/** Return the status of a quote, once readiness has these nodes and misses nothing of the chain, and one is signed. */
const quotesOn = (nodes: object) =>
  vi.waitFor(
    async () => {
      const { origin } = new URL(api.url);
      const { body } = await send(`${origin}/readyz`, {});
      expect(fieldOf(body, 'nodes')).toEqual(nodes);
      expect(fieldOf(body, 'missing')).not.toContain('chain_head');
      expect(fieldOf(body, 'missing')).not.toContain('chain');
      expect(Number(fieldOf(body, 'head_age_ms'))).toBeLessThan(8_000);
      const status = await quote();
      expect(status).toBe(201);
      return status;
    },
    { timeout: 90_000, interval: 500 },
  );

const faults: readonly (readonly [string, () => Promise<HttpFaultRule['fault']>])[] = [
  ['is dead', async () => ({ kind: 'drop' })],
  ['hangs', async () => ({ kind: 'hang' })],
  ['stands still', async () => stillAt(await createPublicClient({ transport: http(chainUrl) }).getBlockNumber())],
];

test.each(faults)(
  'nodes: the first one %s → quotes are signed on the second, until it serves again',
  async (_, fault) => {
    await quotesOn({ count: 2, answering: 2, serving: 1 });
    first.addRule({ matches: () => true, fault: await fault(), times: Number.POSITIVE_INFINITY });
    expect(await quotesOn({ count: 2, answering: 1, serving: 2 })).toBe(201);
    first.clearRules();
    await quotesOn({ count: 2, answering: 2, serving: 1 });
  },
);

test('nodes: the first one hangs when the program starts → it starts, and quotes on the second', async () => {
  const hanging = await startHttpFaultProxy(chainUrl);
  hanging.addRule({ matches: () => true, fault: { kind: 'hang' }, times: Number.POSITIVE_INFINITY });
  await api.stop();
  api = await spawnOn(hanging.url);
  quoted = { ...quoted, body: await surroundings.warmBody(api) };
  expect(await quotesOn({ count: 2, answering: 1, serving: 2 })).toBe(201);
  await hanging.close();
});
