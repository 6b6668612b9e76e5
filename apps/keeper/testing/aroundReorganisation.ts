import type { LocalPosition } from '@core/contracts/local';
import { toHex } from 'viem';
import { expect } from 'vitest';
import type { TestConnections } from './startTestConnections.ts';

/**
 * Do a step, have a branch without it take over that is at least so long, and do it again for good. The step before the
 * branch leaves no trace in the record.
 */
export async function aroundReorganisation(
  world: TestConnections,
  { positionKey }: Pick<LocalPosition, 'positionKey'>,
  { depth, status, step }: { readonly depth: number; readonly status: string; readonly step: () => Promise<unknown> },
): Promise<void> {
  const { driver } = world;
  const rpc = (method: string, params: readonly unknown[] = []): Promise<unknown> =>
    driver.rpc.client.request({ method: method as never, params: params as never });
  const read = () => world.connections.store.positions.byKey(positionKey);
  const head = (): Promise<bigint> => driver.rpc.client.getBlockNumber();
  await world.run('indexChain');
  const before = await read();
  const from = await head();
  const snapshot = await rpc('evm_snapshot');
  await step();
  const missing = BigInt(depth) - ((await head()) - from);
  if (missing > 0n) await rpc('hardhat_mine', [toHex(missing)]);
  await world.run('indexChain');
  expect((await read())?.status).toBe(status);
  const length = (await head()) - from;
  await rpc('evm_revert', [snapshot]);
  await rpc('evm_increaseTime', [7]);
  await rpc('hardhat_mine', [toHex(length)]);
  await world.run('indexChain');
  // The block it counts as changed at never goes back: its followers have read that block.
  const updatedBlockNumber: unknown = expect.any(BigInt);
  expect(await read()).toEqual(before && { ...before, updatedBlockNumber });
  await step();
  await world.run('indexChain');
  expect((await read())?.status).toBe(status);
}
