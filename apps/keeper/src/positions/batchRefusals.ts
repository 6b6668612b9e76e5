import { errorNameOf, vaultAbi } from '@core/vault';
import { parseEventLogs, type TransactionReceipt } from 'viem';

/**
 * Return the members that a batch refused, by position, with the contract's error. Without a receipt none are named:
 * the chain shows later which were granted.
 */
export function refusalsIn(receipt: TransactionReceipt | null): ReadonlyMap<string, string> {
  const logs = receipt === null ? [] : parseEventLogs({ abi: vaultAbi, eventName: 'GrantRefused', logs: receipt.logs });
  return new Map(logs.map(({ args }) => [args.positionKey, errorNameOf(args.reason) ?? 'unknown'] as const));
}
