import { deployLocal, LocalDriver, startLocalChain } from '@core/contracts/local';
import { positionSeedOf, readPositionTerms } from '@core/vault';
import { createPublicClient, custom, toHex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PositionReader } from './positionReader.ts';

let chain: Awaited<ReturnType<typeof startLocalChain>>;
let driver: LocalDriver;

beforeAll(async () => {
  chain = await startLocalChain();
  driver = new LocalDriver({ rpcUrl: chain.rpcUrl, deployment: await deployLocal({ rpcUrl: chain.rpcUrl }) });
});

afterAll(() => chain.close());

/** A client of the chain that counts what it asks. */
function countingClient() {
  const reads = { count: 0 };
  const request = async (call: object): Promise<unknown> => {
    reads.count += 1;
    return driver.rpc.client.request(call as never);
  };
  return { client: createPublicClient({ transport: custom({ request }), cacheTime: 0 }), asked: reads };
}

test('a second read costs fewer requests and returns the current state', async () => {
  const { contracts, roles } = driver.deployment;
  const market = await driver.openMarket('Bitcoin up this hour?');
  const fields = await driver.quoteFields({
    user: roles.alice,
    token: market.yes,
    positionSeed: positionSeedOf(toHex(1, { size: 12 }), 0),
    collateralUsdcUnits: 50_000_000n,
    leverageBps: 20_000n,
  });
  const { client, asked } = countingClient();
  const reader = new PositionReader(client, contracts);
  const position = await driver.createPosition({
    sender: roles.alice,
    fields,
    signature: driver.signQuote(fields),
    limits: { venueFeeUsdcUnits: 5_000_000n },
  });
  const { positionKey } = position;
  const first = await reader.read(positionKey);
  const firstCount = asked.count;
  expect(first).toMatchObject({ state: 'pending', tokenId: market.yes.tokenId, isCancelRequested: false });
  await driver.cancelPosition(position, roles.alice);
  const second = await reader.read(positionKey);
  expect(asked.count - firstCount).toBeLessThan(firstCount);
  expect(second).toEqual(await readPositionTerms(driver.rpc.client, { contracts, positionKey }));
  expect(second.state).not.toBe('pending');
});

test('a key without a position is not cached: it may get one later', async () => {
  const { client } = countingClient();
  const reader = new PositionReader(client, driver.deployment.contracts);
  const positionKey = toHex(7, { size: 32 });
  expect(await reader.read(positionKey)).toMatchObject({ state: 'none', outcomeId: 0, tokenId: 0n });
  expect(await reader.read(positionKey)).toMatchObject({ state: 'none', outcomeId: 0, tokenId: 0n });
});
