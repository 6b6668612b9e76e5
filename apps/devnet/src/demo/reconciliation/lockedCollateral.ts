import { conditionalTokensAbi, readInParts } from '@core/vault';
import { type Address, getAbiItem, type Hex } from 'viem';
import type { ChainClient } from '../clients/wallet.ts';

/** Events that move collateral into and out of conditions. */
const events = [
  getAbiItem({ abi: conditionalTokensAbi, name: 'PositionSplit' }),
  getAbiItem({ abi: conditionalTokensAbi, name: 'PositionsMerge' }),
  getAbiItem({ abi: conditionalTokensAbi, name: 'PayoutRedemption' }),
];

/** Return the collateral that all conditions hold: splits less merges and redemptions. */
export async function readLockedCollateral(
  client: ChainClient,
  conditionalTokens: Address,
  toBlock: bigint,
): Promise<ReadonlyMap<Hex, bigint>> {
  const locked = new Map<Hex, bigint>();
  const add = (conditionId: Hex, usdcUnits: bigint) =>
    locked.set(conditionId, (locked.get(conditionId) ?? 0n) + usdcUnits);
  const logs = await readInParts(client, { from: 0n, to: toBlock }, (part) =>
    client.getLogs({ address: conditionalTokens, events, strict: true, fromBlock: part.from, toBlock: part.to }),
  );
  for (const log of logs) {
    if (log.eventName === 'PositionSplit') add(log.args.conditionId, log.args.amount);
    else if (log.eventName === 'PositionsMerge') add(log.args.conditionId, -log.args.amount);
    else add(log.args.conditionId, -log.args.payout);
  }
  return locked;
}
