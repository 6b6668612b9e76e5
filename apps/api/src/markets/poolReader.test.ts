import { deployLocal, type LocalChain, type LocalDeployment, startLocalChain } from '@core/contracts/local';
import { Fault } from '@core/errors';
import { createPublicClient, http } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PoolReader } from './poolReader.ts';

let chain: LocalChain;
let deployment: LocalDeployment;

beforeAll(async () => {
  chain = await startLocalChain({});
  deployment = await deployLocal({ rpcUrl: chain.rpcUrl });
});
afterAll(() => chain.close());

function readerOf(rpcUrl: string, maxAgeMs = 10_000): PoolReader {
  const client = createPublicClient({ transport: http(rpcUrl, { retryCount: 0 }) });
  return new PoolReader({ client, pool: deployment.contracts.pool, maxAgeMs });
}

test('reads the deployed pool: assets, reserve and what may be lent', async () => {
  const reader = readerOf(chain.rpcUrl);
  expect(reader.pool()).toBeNull();
  expect(reader.ageMs()).toBeNull();
  await reader.refresh();
  // 500,000 USDC of liquidity of which 80 % may be lent, 25,000 of reserve.
  expect(reader.pool()).toEqual({
    idleUsdcUnits: 500_000_000_000n,
    reserveUsdcUnits: 25_000_000_000n,
    lentUsdcUnits: 0n,
    impairedUsdcUnits: 0n,
    freeLiquidityUsdcUnits: 400_000_000_000n,
  });
});

test('reads the cap of an outcome, and knows nothing of one that was not read', async () => {
  const reader = readerOf(chain.rpcUrl);
  await reader.refreshLoans([1]);
  expect(reader.outcomeLoanOf(1)).toMatchObject({ loanUsdcUnits: 0n });
  expect(reader.outcomeLoanOf(2)).toBeNull();
  expect(reader.outcomeLoanOf(null)).toBeNull();
});

test('reads more loans than are asked for at once', async () => {
  const reader = readerOf(chain.rpcUrl);
  const outcomeIds = Array.from({ length: 130 }, (_, index) => index + 1);
  await reader.refreshLoans(outcomeIds);
  expect(outcomeIds.filter((outcomeId) => reader.outcomeLoanOf(outcomeId) === null)).toEqual([]);
});

test('an old reading promises nothing', async () => {
  const reader = readerOf(chain.rpcUrl, -1);
  await reader.refresh();
  expect(reader.pool()).toBeNull();
});

test('a chain that does not answer is a retryable fault', async () => {
  const reader = readerOf('http://127.0.0.1:9');
  await expect(reader.refresh()).rejects.toThrow(Fault);
  await expect(reader.refreshLoans([1])).rejects.toThrow(Fault);
});
