import { type Address, type Hex, parseAbiItem } from 'viem';
import type { ChainClient } from './wallet.ts';

const events = [
  parseAbiItem(
    'event PositionSplit(address indexed stakeholder, address collateralToken, bytes32 indexed parentCollectionId, bytes32 indexed conditionId, uint256[] partition, uint256 amount)',
  ),
  parseAbiItem(
    'event PositionsMerge(address indexed stakeholder, address collateralToken, bytes32 indexed parentCollectionId, bytes32 indexed conditionId, uint256[] partition, uint256 amount)',
  ),
  parseAbiItem(
    'event PayoutRedemption(address indexed redeemer, address indexed collateralToken, bytes32 indexed parentCollectionId, bytes32 conditionId, uint256[] indexSets, uint256 payout)',
  ),
];
const blocksPerRead = 5_000n;

/** Collateral every condition still holds: what was split less what was merged and redeemed. */
export async function readLockedCollateral(
  client: ChainClient,
  conditionalTokens: Address,
  toBlock: bigint,
): Promise<ReadonlyMap<Hex, bigint>> {
  const locked = new Map<Hex, bigint>();
  const add = (conditionId: Hex, usdcUnits: bigint) =>
    locked.set(conditionId, (locked.get(conditionId) ?? 0n) + usdcUnits);
  for (let fromBlock = 0n; fromBlock <= toBlock; fromBlock += blocksPerRead) {
    const last = fromBlock + blocksPerRead - 1n;
    const range = { fromBlock, toBlock: last < toBlock ? last : toBlock };
    const logs = await client.getLogs({ address: conditionalTokens, events, strict: true, ...range });
    for (const log of logs) {
      if (log.eventName === 'PositionSplit') add(log.args.conditionId, log.args.amount);
      else if (log.eventName === 'PositionsMerge') add(log.args.conditionId, -log.args.amount);
      else add(log.args.conditionId, -log.args.payout);
    }
  }
  return locked;
}
