import { deployLocal, startLocalChain } from '@core/contracts/local';
import { connectChain } from '@core/runtime';
import { Purpose, vaultAbi } from '@core/vault';
import { toHex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';

let chain: Awaited<ReturnType<typeof startLocalChain>>;
beforeAll(async () => {
  chain = await startLocalChain({ blockIntervalMs: 0 });
});
afterAll(() => chain.close());

test('the grants of a thousand positions are read at one moment', async () => {
  const { contracts, chainId } = await deployLocal({ rpcUrl: chain.rpcUrl });
  const reading = { timeoutMs: 30_000, isBatched: true, isAggregated: true };
  const client = await connectChain({ ...reading, rpcUrl: chain.rpcUrl, chainId });
  const grants = await Promise.all(
    Array.from({ length: 1_000 }, (_, index) =>
      client.readContract({
        address: contracts.vault,
        abi: vaultAbi,
        functionName: 'grantOf',
        args: [toHex(index, { size: 32 })],
      }),
    ),
  );
  expect(grants.filter(({ purpose }) => purpose === Purpose.None)).toHaveLength(1_000);
});
