import { vaultAbi } from '@core/vault';
import type { Hex } from 'viem';
import type { World } from '../world/startWorld.ts';

/** A grant that the vault began, or a fill of one. */
export interface GrantEvent {
  readonly kind: 'grant' | 'fill';
  readonly key: Hex;
  readonly purpose: number;
  /** Time of the block, in seconds. */
  readonly at: number;
}

/** Grants of one purpose for one position, up to the one that is successes. Times are seconds of blocks. */
export interface GrantTry extends Pick<GrantEvent, 'key' | 'purpose'> {
  /** Block of the first grant. */
  readonly dueAt: number;
  readonly grants: number;
  /** Block of the last fill; null without one. */
  readonly filledAt: number | null;
}

/** Read all grants and fills of a world's vault, in the order of the chain. */
export async function readVaultEvents({ driver, deployment, settings }: World) {
  const { client } = driver.rpc;
  const head = await client.getBlockNumber({ cacheTime: 0 });
  const rangeBlocks = BigInt(settings.physics.maxLogBlocks ?? head + 1n);
  const query = { address: deployment.contracts.vault, abi: vaultAbi, strict: true } as const;
  const readFrom = async (fromBlock: bigint) => {
    const end = fromBlock + rangeBlocks - 1n;
    const range = { fromBlock, toBlock: end < head ? end : head };
    const grants = await client.getContractEvents({ ...query, ...range, eventName: 'GrantAuthorized' });
    const fills = await client.getContractEvents({ ...query, ...range, eventName: 'GrantFilled' });
    return [...grants, ...fills].toSorted(
      (left, right) => Number(left.blockNumber - right.blockNumber) || left.logIndex - right.logIndex,
    );
  };
  const events: Awaited<ReturnType<typeof readFrom>> = [];
  for (let fromBlock = deployment.deploymentBlock; fromBlock <= head; fromBlock += rangeBlocks) {
    events.push(...(await readFrom(fromBlock)));
  }
  return events;
}

/** Return the grants and fills with the times of their blocks. */
export async function readGrantEvents(world: World): Promise<readonly GrantEvent[]> {
  const events: GrantEvent[] = [];
  const times = new Map<bigint, number>();
  for (const { eventName, args, blockNumber } of await readVaultEvents(world)) {
    const at = times.get(blockNumber) ?? Number((await world.driver.rpc.client.getBlock({ blockNumber })).timestamp);
    times.set(blockNumber, at);
    const kind = eventName === 'GrantFilled' ? 'fill' : 'grant';
    events.push({ kind, key: args.positionKey, purpose: args.purpose, at });
  }
  return events;
}

/** Group grants by position and purpose. The first grant after one that was filled begins another try. */
export function grantTriesOf(events: readonly GrantEvent[]): readonly GrantTry[] {
  const ended: GrantTry[] = [];
  const newest = new Map<string, GrantTry>();
  for (const { kind, key, purpose, at } of events) {
    const name = `${key} ${purpose}`;
    const last = newest.get(name);
    if (kind === 'fill') {
      if (last !== undefined) newest.set(name, { ...last, filledAt: at });
    } else if (last === undefined || last.filledAt !== null) {
      if (last !== undefined) ended.push(last);
      newest.set(name, { key, purpose, dueAt: at, grants: 1, filledAt: null });
    } else {
      newest.set(name, { ...last, grants: last.grants + 1 });
    }
  }
  return [...ended, ...newest.values()];
}

/** Outcomes of the tries of one purpose in markets of one kind. */
export interface FillCounts {
  readonly due: number;
  readonly first: number;
  readonly second: number;
  /** Filled in the third grant, or after it. */
  readonly later: number;
  readonly never: number;
  /** Seconds from due to filled of half of the filled ones, and of 95 of 100; null without one. */
  readonly p50: number | null;
  readonly p95: number | null;
}

/**
 * Count the outcomes of tries.
 * @param ungranted Sales and purchases that were asked for and never became a grant.
 */
export function fillCountsOf(tries: readonly GrantTry[], ungranted = 0): FillCounts {
  const successes = tries.filter(({ filledAt }) => filledAt !== null);
  const seconds = successes.map(({ dueAt, filledAt }) => (filledAt ?? dueAt) - dueAt).toSorted((a, b) => a - b);
  const rankOf = (share: number): number | null => seconds[Math.ceil(seconds.length * share) - 1] ?? null;
  const due = tries.length + ungranted;
  const first = successes.filter(({ grants }) => grants === 1).length;
  const second = successes.filter(({ grants }) => grants === 2).length;
  const later = successes.length - first - second;
  return { due, first, second, later, never: due - successes.length, p50: rankOf(0.5), p95: rankOf(0.95) };
}
