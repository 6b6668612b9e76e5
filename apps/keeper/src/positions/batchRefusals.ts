import { errorNameOf, vaultAbi } from '@core/vault';
import { getAbiItem, parseEventLogs, type TransactionReceipt, toEventSelector } from 'viem';

/** First topic of a refusal. */
const refusedTopic = toEventSelector(getAbiItem({ abi: vaultAbi, name: 'GrantRefused' }));

/**
 * Return the members that a batch refused, by position, with the contract's error. Without a receipt none are named:
 * the chain shows later which were granted.
 */
export function refusalsIn(receipt: TransactionReceipt | null): ReadonlyMap<string, string> {
  // The decoder hashes each event for each log: it is given the refusals alone.
  const refusals = receipt?.logs.filter(({ topics: [topic] }) => topic === refusedTopic) ?? [];
  const logs = parseEventLogs({ abi: vaultAbi, eventName: 'GrantRefused', logs: refusals });
  return new Map(logs.map(({ args }) => [args.positionKey, errorNameOf(args.reason) ?? 'unknown'] as const));
}
