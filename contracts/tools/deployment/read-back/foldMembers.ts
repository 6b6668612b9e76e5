import { readInParts } from '@core/vault';
import { type AbiEvent, type Address, type PublicClient, parseEventLogs } from 'viem';

/** Source and first block of the events. */
export interface EventSource {
  readonly client: PublicClient;
  readonly address: Address;
  readonly fromBlock: bigint;
  /** Most blocks one request may span. */
  readonly blockRange: bigint;
}

export interface MemberChange {
  readonly member: string;
  readonly isMember: boolean;
}

/**
 * Return the members of a set now, from its events. A contract cannot list a mapping, so an unexpected member shows
 * only here. The events can be trusted because the code that emits them is compared, and the code that created it.
 */
export async function foldMembers(
  source: EventSource,
  events: readonly AbiEvent[],
  changeOf: (eventName: string, args: Readonly<Record<string, unknown>>) => MemberChange | null,
): Promise<readonly string[]> {
  const { client, address, fromBlock, blockRange } = source;
  const members = new Set<string>();
  const latest = await client.getBlockNumber();
  for (let from = fromBlock; from <= latest; from += blockRange) {
    const to = from + blockRange - 1n < latest ? from + blockRange - 1n : latest;
    const logs = await readInParts(client, { from, to }, (part) =>
      client.getLogs({ address, fromBlock: part.from, toBlock: part.to }),
    );
    for (const { eventName, args } of parseEventLogs({ abi: events, logs: [...logs] })) {
      const change = changeOf(eventName, Object.fromEntries(Object.entries(args ?? {})));
      if (change === null) continue;
      if (change.isMember) members.add(change.member);
      else members.delete(change.member);
    }
  }
  return [...members];
}
