import { chainNodesOf } from '@core/runtime';
import { type HttpFaultProxy, startHttpFaultProxy } from '@core/testkit';
import { Role, vaultAbi } from '@core/vault';
import { encodeFunctionData } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readRange } from '../src/indexer/readRange.ts';
import { startTestStack, type TestStack } from '../testing/startTestStack.ts';

/** Calls that the node takes in one request: fewer than the keeper has for the listed markets. */
const maxCalls = 10;
const refusal = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32_000, message: `no more than ${maxCalls} calls in a batch` },
};

const callCountOf = (bodyText: string): number => [JSON.parse(bodyText)].flat().length;

let stack: TestStack;
let node: HttpFaultProxy;
beforeAll(async () => {
  stack = await startTestStack();
});
beforeEach(async () => {
  node = await startHttpFaultProxy(stack.rpcUrl);
  node.addRule({
    matches: ({ bodyText }) => callCountOf(bodyText) > maxCalls,
    fault: { kind: 'answer', status: 200, bodyText: JSON.stringify(refusal) },
    times: Number.POSITIVE_INFINITY,
  });
});
afterEach(() => node.close());
afterAll(() => stack.close());

const sizes = (): readonly number[] => node.requests().map(({ bodyText }) => callCountOf(bodyText));

describe('a node that takes small batches only', () => {
  test('an index that is behind reads a range with more events than a batch has calls', async () => {
    const { roles, contracts, chainId } = stack.deployment;
    const { rpc } = stack.driver;
    const from = (await rpc.client.getBlockNumber()) + 1n;
    const eventCount = 3 * maxCalls;
    for (let count = 0; count < eventCount; count += 1) {
      const args = [Role.PriceSigner, roles.erin.address, count % 2 === 0] as const;
      const data = encodeFunctionData({ abi: vaultAbi, functionName: 'setRole', args });
      await rpc.send(roles.owner, { to: contracts.vault, data });
    }
    const to = await rpc.client.getBlockNumber();
    const [client] = chainNodesOf({ rpcUrl: node.url, timeoutMs: 5_000, isBatched: true });
    if (client === undefined) throw new Error('there is no client');
    const authorizations = async () => new Map();
    const source = { client, contracts, chainKey: `${chainId}:test` };
    const range = { from, to, cursor: null, authorizations };
    expect((await readRange(source, range)).events.length).toBe(eventCount);
    const firstCount = sizes().length;
    expect((await readRange(source, range)).events.length).toBe(eventCount);
    expect(Math.max(...sizes().slice(firstCount))).toBeLessThanOrEqual(maxCalls);
  });

  test('a first start registers every tradable market', async () => {
    const keeper = await stack.startKeeper({ rpcUrl: node.url });
    const unregistered = async (): Promise<number> =>
      (await stack.store.markets.unregistered({ except: [], limit: 64 })).length;
    await stack.until('listed markets', async () => ((await unregistered()) > 0 ? true : undefined));
    await stack.until('no market without outcomes', async () => ((await unregistered()) === 0 ? true : undefined));
    const markets = await stack.store.markets.changedSince(0n);
    const registered = markets.filter(({ yesOutcomeId, noOutcomeId }) => yesOutcomeId !== null && noOutcomeId !== null);
    expect(registered.length).toBeGreaterThanOrEqual(8);
    await keeper.close();
  });
});
