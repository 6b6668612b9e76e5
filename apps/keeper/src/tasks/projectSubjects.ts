import type { IntentRecord, MarketRecord, PositionRecord, QuoteRecord, StoreTransaction } from '@core/store';
import { type CreatePositionFields, createPositionDigest } from '@core/vault';
import { planOf } from '../effects/transactionLane.ts';
import type { CreatedEvent, FoldContext } from '../ledger/createdPosition.ts';
import { foldPosition } from '../ledger/foldPosition.ts';
import { type PlacedEvent, placedEventOf } from '../ledger/ledgerEvent.ts';
import { outboxEntriesOf } from '../ledger/outboxEntries.ts';
import { positionUsageOf } from '../ledger/positionUsage.ts';
import type { KeeperPorts } from '../ports.ts';

/** What a projection reads and writes; the indexer gives the aggregates of its transaction. */
export interface Projecting {
  readonly subjects: readonly string[];
  /** First block whose events are new: only they make customer events. Null when none is. */
  readonly fromBlock: bigint | null;
}

/** Refolds positions from their stored events: projection, usage and customer events, or their removal. */
export async function projectSubjects(
  ports: KeeperPorts,
  unit: StoreTransaction,
  { subjects, fromBlock }: Projecting,
): Promise<void> {
  // All of them before any row is touched, or two refolds could wait for each other in a circle.
  await unit.positions.lockProjections(subjects);
  // In one order everywhere, so that two transactions never wait for each other's rows in a circle.
  for (const subject of subjects.toSorted()) {
    const events = (await unit.chain.eventsOf(ports.chainKey, subject)).map(placedEventOf);
    const context = await contextOf(ports, unit, events);
    const projection = foldPosition(events, context);
    if (projection === null) {
      await unit.positions.remove(subject);
      await unit.usage.forgetPosition(subject, ports.clock.nowMs());
      continue;
    }
    await unit.positions.put(projection);
    await unit.usage.setPosition(positionUsageOf(projection.position, context.market));
    if (fromBlock !== null) {
      await unit.outbox.append(outboxEntriesOf(events, fromBlock, context));
      alertUnknownQuote(ports, projection.position, events[0]?.blockNumber ?? 0n);
    }
  }
}

async function contextOf(
  ports: KeeperPorts,
  unit: StoreTransaction,
  events: readonly PlacedEvent[],
): Promise<FoldContext> {
  const [created] = events;
  if (created?.name !== 'PositionCreated') {
    return { quote: null, market: null, arePayoutsKnown: false, refundReason: null, closeDeferredAtMs: null };
  }
  const { positionKey, request } = created.args;
  const intents = await unit.intents.ofSubject(positionKey.toLowerCase());
  const market = await unit.markets.byVenueMarketId(request.venueMarketId);
  return {
    quote: await quoteOf(ports, unit, created),
    market,
    arePayoutsKnown: arePayoutsKnown(market),
    refundReason: refundReasonOf(intents),
    closeDeferredAtMs: intents.find(({ operation }) => operation === 'defer_close')?.createdAtMs ?? null,
  };
}

function arePayoutsKnown(market: MarketRecord | null): boolean {
  return market !== null && market.payoutDenominator !== null;
}

/** The stored quote whose digest the chain's own fields have: nothing else makes a position ours. */
async function quoteOf(
  ports: KeeperPorts,
  unit: StoreTransaction,
  { args }: CreatedEvent,
): Promise<QuoteRecord | null> {
  const { request, user } = args;
  const fields: CreatePositionFields = { ...request, user, chainId: ports.chainId, vault: ports.contracts.vault };
  return unit.quotes.byDigest(createPositionDigest(fields));
}

function refundReasonOf(intents: readonly IntentRecord[]): PositionRecord['failureReason'] {
  const refund = intents.findLast(({ operation }) => operation === 'refund');
  if (refund === undefined) {
    return null;
  }
  const { details } = planOf(refund);
  return 'reason' in details ? (details.reason as PositionRecord['failureReason']) : null;
}

/** Said once, when the creation is indexed. */
function alertUnknownQuote(ports: KeeperPorts, position: PositionRecord, createdBlockNumber: bigint): void {
  if (position.quoteId === null && position.updatedBlockNumber === createdBlockNumber) {
    ports.metrics.unknownQuotes.inc();
    ports.logger.error({ positionKey: position.positionKey }, 'position without a stored quote: frozen');
  }
}
