import { deployLocal, startLocalChain } from '@core/contracts/local';
import { connectChain } from '@core/runtime';
import { PositionState, Purpose, vaultAbi } from '@core/vault';
import { toHex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';

let chain: Awaited<ReturnType<typeof startLocalChain>>;
beforeAll(async () => {
  chain = await startLocalChain({ blockIntervalMs: 0 });
});
afterAll(() => chain.close());

test('a thousand positions and their grants are read at one moment', async () => {
  const { contracts, chainId } = await deployLocal({ rpcUrl: chain.rpcUrl });
  const reading = { timeoutMs: 30_000, isBatched: true, readsOfCall: 20 };
  const client = await connectChain({ ...reading, rpcUrl: chain.rpcUrl, chainId });
  const at = { address: contracts.vault, abi: vaultAbi } as const;
  const keys = Array.from({ length: 1_000 }, (_, index) => toHex(index, { size: 32 }));
  const [grants, positions] = await Promise.all([
    Promise.all(keys.map((key) => client.readContract({ ...at, functionName: 'grantOf', args: [key] }))),
    Promise.all(keys.map((key) => client.readContract({ ...at, functionName: 'positionOf', args: [key] }))),
  ]);
  expect(grants.filter(({ purpose }) => purpose === Purpose.None)).toHaveLength(1_000);
  expect(positions.filter(({ state }) => state === PositionState.None)).toHaveLength(1_000);
});
