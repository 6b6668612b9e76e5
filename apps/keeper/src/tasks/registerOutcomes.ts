import type { Lease, MarketRecord } from '@core/store';
import { conditionalTokensAbi, vaultAbi } from '@core/vault';
import { type Address, encodeFunctionData, type Hex } from 'viem';
import type { KeeperPorts } from '../ports.ts';

/** Markets registered in one round; the next round takes the rest. */
const maxPerRound = 8;

/**
 * Registers both outcomes of every market that can be traded: a position needs its outcome to be known to the vault. What
 * runs longest comes first, because it can be traded longest.
 */
export async function registerOutcomes(ports: KeeperPorts, lease: Lease): Promise<void> {
  const missing = (await ports.store.markets.all())
    .filter(isMissing)
    .toSorted((left, right) => (right.closeTimeMs ?? 0) - (left.closeTimeMs ?? 0));
  let registered = 0;
  for (const market of missing) {
    // One whose condition is not there yet is passed over, so that it holds up none of the others.
    if (registered < maxPerRound && (await isPrepared(ports, market))) {
      await registerMarket(ports, market, lease);
      registered += 1;
    }
  }
}

function isMissing(market: MarketRecord): boolean {
  const isUnregistered = market.yesOutcomeId === null || market.noOutcomeId === null;
  return isUnregistered && market.status === 'active' && market.oracleAddress !== null && market.questionId !== null;
}

/** The venue's oracle has made the condition on chain; before that a registration reverts. */
async function isPrepared(ports: KeeperPorts, market: MarketRecord): Promise<boolean> {
  const slotCount = await ports.client.readContract({
    address: ports.contracts.conditionalTokens,
    abi: conditionalTokensAbi,
    functionName: 'getOutcomeSlotCount',
    args: [market.venueMarketId as Hex],
  });
  return slotCount === 2n;
}

async function registerMarket(ports: KeeperPorts, market: MarketRecord, lease: Lease): Promise<void> {
  for (const [tokenId, indexSet] of [[market.yesTokenId, 1n] as const, [market.noTokenId, 2n] as const]) {
    const outcomeId = await outcomeIdOf(ports, market, tokenId);
    if (outcomeId !== 0) {
      // Registered by somebody else, or by us in a block that is not indexed yet.
      await ports.store.markets.recordOutcomes([{ tokenId, outcomeId }], ports.clock.nowMs());
      continue;
    }
    const attempts = await ports.store.intents.ofSubject(tokenId, 'register_outcome');
    await ports.lane.send({
      subject: tokenId,
      operation: 'register_outcome',
      attempt: attempts.filter(({ state }) => ['dropped', 'reverted', 'replaced'].includes(state)).length + 1,
      to: ports.contracts.vault,
      data: encodeFunctionData({
        abi: vaultAbi,
        functionName: 'registerOutcome',
        args: [market.oracleAddress as Address, market.questionId as Hex, indexSet],
      }),
      lease,
    });
  }
}

function outcomeIdOf(ports: KeeperPorts, market: MarketRecord, tokenId: string): Promise<number> {
  return ports.client.readContract({
    address: ports.contracts.vault,
    abi: vaultAbi,
    functionName: 'outcomeIdOf',
    args: [market.venueMarketId as Hex, BigInt(tokenId)],
  });
}
