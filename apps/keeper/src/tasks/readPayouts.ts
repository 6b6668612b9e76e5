import type { MarketRecord, PositionRecord, StoreTransaction } from '@core/store';
import { conditionalTokensAbi } from '@core/vault';
import type { VenueMarket } from '@core/venue';
import type { Hex } from 'viem';
import { entryOf } from '../ledger/outboxEntries.ts';
import type { KeeperPorts } from '../ports.ts';
import { projectSubjects } from './projectSubjects.ts';
import { moveTowards } from './syncCatalogue.ts';

/** Looks on chain for the payout vector of every market that may have one: the only word that settles anything. */
export async function readPayouts(ports: KeeperPorts): Promise<void> {
  const nowMs = ports.clock.nowMs();
  const candidates = (await ports.store.markets.all()).filter((market) => mayBeResolved(market, nowMs));
  for (const market of candidates) {
    const payouts = await payoutsOf(ports, market);
    if (payouts !== null) {
      await recordPayouts(ports, market, payouts);
      await moveTowards(ports, market, 'finalized');
    }
  }
}

/** A market resolves when it closed or when its oracle has begun to speak; a running one is not asked for each second. */
function mayBeResolved(market: MarketRecord, nowMs: number): boolean {
  if (market.payoutDenominator !== null) {
    return market.status !== 'finalized';
  }
  const listed = market.record as VenueMarket;
  const isOver = market.closeTimeMs !== null && market.closeTimeMs <= nowMs;
  return market.status !== 'active' || isOver || listed.resolutionStatus !== 'none' || listed.isClosed;
}

interface Payouts {
  readonly numerators: readonly bigint[];
  readonly denominator: bigint;
}

async function payoutsOf(ports: KeeperPorts, market: MarketRecord): Promise<Payouts | null> {
  const tokens = { address: ports.contracts.conditionalTokens, abi: conditionalTokensAbi } as const;
  const condition = market.venueMarketId as Hex;
  const denominator = await ports.client.readContract({
    ...tokens,
    functionName: 'payoutDenominator',
    args: [condition],
  });
  if (denominator === 0n) {
    return null;
  }
  const numerators = await Promise.all(
    [0n, 1n].map((index) =>
      ports.client.readContract({ ...tokens, functionName: 'payoutNumerators', args: [condition, index] }),
    ),
  );
  return { numerators, denominator };
}

/** The payouts, the status of every position they settle, and the word to their owners, in one transaction. */
async function recordPayouts(ports: KeeperPorts, market: MarketRecord, payouts: Payouts): Promise<void> {
  await ports.store.transaction(async (unit) => {
    const isNew = await unit.markets.recordPayouts({
      venueMarketId: market.venueMarketId,
      ...payouts,
      nowMs: ports.clock.nowMs(),
    });
    if (isNew) {
      ports.logger.info({ ticker: market.ticker, numerators: payouts.numerators.map(String) }, 'payouts reported');
      await settlePositions(ports, unit, market);
    }
  });
}

async function settlePositions(ports: KeeperPorts, unit: StoreTransaction, market: MarketRecord): Promise<void> {
  const open = (await unit.positions.ofMarket(market.id)).filter(({ chainState }) => chainState === 'open');
  await projectSubjects(ports, unit, { subjects: open.map(({ positionKey }) => positionKey), fromBlock: null });
  for (const { positionKey } of open) {
    const position = await unit.positions.byKey(positionKey);
    if (position !== null) {
      await unit.outbox.append([settlementEntryOf(position, ports.clock.nowMs())]);
    }
  }
}

function settlementEntryOf(position: PositionRecord, nowMs: number) {
  return entryOf({ type: 'position.settlement_state_changed', position, seed: 'payouts_reported', nowMs });
}
