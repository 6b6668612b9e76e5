import { fixedClock } from '@core/runtime/testing';
import { vaultAbi } from '@core/vault';
import { createPublicClient, custom, encodeFunctionResult, numberToHex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { quoteBody } from '../../testing/quoteBody.ts';
import { codeOf, send, startTestApi, type TestApi, wallets } from '../../testing/startTestApi.ts';
import { VaultWatch } from './vaultWatch.ts';

const startMs = 1_800_000_000_000;

/** A watch over a node that answers with this signer and last block, or fails. */
function watched() {
  const node = { signer: wallets.alice as string, blockMs: startMs, isAway: false };
  const clock = fixedClock(startMs);
  const wrong: string[] = [];
  const request = ({ method }: { readonly method: string }): Promise<unknown> => {
    if (node.isAway) return Promise.reject(new Error('the node is away'));
    if (method === 'eth_getBlockByNumber') return Promise.resolve({ timestamp: numberToHex(node.blockMs / 1_000) });
    const result = encodeFunctionResult({
      abi: vaultAbi,
      functionName: 'quoteSigner',
      result: node.signer as `0x${string}`,
    });
    return Promise.resolve(result);
  };
  const watch = new VaultWatch({
    client: createPublicClient({ transport: custom({ request }, { retryCount: 0 }) }),
    vault: wallets.bob,
    signer: wallets.alice,
    clock,
    maxHeadAgeMs: 20_000,
    onWrongSigner: (accepted) => wrong.push(accepted),
  });
  return { node, clock, watch, wrong };
}

describe('VaultWatch', () => {
  test('nothing was read: both are missing; the right signer and a young block: nothing is', async () => {
    const { watch } = watched();
    expect(watch.problems()).toEqual(['quote_signer', 'chain_head']);
    await Promise.all([watch.refreshSigner(), watch.refreshHead()]);
    expect([watch.problems(), watch.headAgeMs()]).toEqual([[], 0]);
  });

  test('the vault accepts another key: reported with each reading, until it accepts this one', async () => {
    const { node, watch, wrong } = watched();
    await watch.refreshHead();
    node.signer = wallets.bob;
    await watch.refreshSigner();
    await watch.refreshSigner();
    expect([watch.problems(), wrong]).toEqual([['quote_signer'], [wallets.bob, wallets.bob]]);
    node.signer = wallets.alice;
    await watch.refreshSigner();
    expect(watch.problems()).toEqual([]);
  });

  test('the node answers with a last block two minutes old: the head is missing, with its age', async () => {
    const { node, watch } = watched();
    node.blockMs = startMs - 120_000;
    await Promise.all([watch.refreshSigner(), watch.refreshHead()]);
    expect([watch.problems(), watch.headAgeMs()]).toEqual([['chain_head'], 120_000]);
    node.blockMs = startMs;
    await watch.refreshHead();
    expect(watch.problems()).toEqual([]);
  });

  test('the node is away: each reading is a fault, and what was read of the signer stays', async () => {
    const { node, watch } = watched();
    await Promise.all([watch.refreshSigner(), watch.refreshHead()]);
    node.isAway = true;
    await expect(watch.refreshSigner()).rejects.toMatchObject({ origin: 'chain', retryable: true });
    await expect(watch.refreshHead()).rejects.toMatchObject({ origin: 'chain', retryable: true });
    expect(watch.problems()).toEqual([]);
  });
});

describe.each(['quote_signer', 'chain_head'] as const)('a service with the problem %s', (problem) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi();
  });
  afterAll(() => api.close());

  test('is not ready and signs no quote, and does both when the problem is over', async () => {
    const authorization = await api.userOf(wallets.alice);
    const quote = () => api.call('/quotes', { authorization, body: quoteBody });
    api.vault.current = [problem];
    const refusal = await quote();
    expect([refusal.status, codeOf(refusal)]).toEqual([503, 'quote_creation_disabled']);
    expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0);
    const waiting = await send(`${api.api.origin}/readyz`, {});
    expect([waiting.status, waiting.body]).toMatchObject([503, { status: 'waiting', missing: [problem] }]);
    api.vault.current = [];
    expect((await quote()).status).toBe(201);
    expect((await send(`${api.api.origin}/readyz`, {})).status).toBe(200);
  });
});
