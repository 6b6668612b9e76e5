import { raw } from '@core/pricing';
import { vaultAbi } from '@core/vault';
import type { Hex } from 'viem';
import type { World } from '../world/startWorld.ts';

/** Return what the service's record of a position and the vault disagree on, and reservations that an end left. */
export async function brokenPositions(world: World, keys: readonly Hex[]): Promise<string[]> {
  return (await Promise.all(keys.map((key) => brokenOf(world, key)))).flat();
}

async function brokenOf({ store, driver, deployment }: World, key: Hex): Promise<string[]> {
  const record = await store.positions.byKey(key);
  if (record === null) return [`${key}: the service has no record`];
  const onChain = await driver.rpc.client.readContract({
    address: deployment.contracts.vault,
    abi: vaultAbi,
    functionName: 'positionOf',
    args: [key],
  });
  const [principal, fees] = await driver.rpc.client.readContract({
    address: deployment.contracts.vault,
    abi: vaultAbi,
    functionName: 'debtOf',
    args: [key],
  });
  const reservation = await store.usage.reservation(key);
  const checks: readonly (readonly [string, boolean])[] = [
    ['tokens', raw(record.tokenUnits) === onChain.tokenUnits],
    ['principal', raw(record.principalUsdcUnits) === onChain.principalUsdcUnits],
    ['debt after the end', record.status === 'liquidated' || principal + fees === 0n],
    ['reservation after the end', reservation === null || raw(reservation.activeNotionalUsdPips) === 0n],
  ];
  return checks.filter(([, isHeld]) => !isHeld).map(([what]) => `${key}: ${what}`);
}
