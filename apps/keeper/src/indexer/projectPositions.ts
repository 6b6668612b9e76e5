import { type FoldContext, foldPosition, type Position, positionUsageOf, type QuotedTerms } from '@core/position';
import type { Clock } from '@core/runtime';
import {
  type MarketRecord,
  type PositionUsage,
  positionIdOf,
  putAnnounced,
  type QuoteRecord,
  removeAnnounced,
  type StoreTransaction,
  type UsageMove,
} from '@core/store';
import { type CreatePositionFields, createPositionDigest } from '@core/vault';
import type { Address } from 'viem';
import { type Intent, intentsOfSubject, ofOperation } from '../transactions/intents.ts';
import type { Operation } from '../transactions/intentTable.ts';
import { positionEventOf, type StoredEvent, storedEventOf } from './ledgerEvent.ts';
import { outboxEntriesOf } from './outboxEntries.ts';

/** Which positions are folded again. */
export interface Projecting {
  readonly subjects: readonly string[];
  /** First block whose events are new: only they make customer events. Null when none is. */
  readonly fromBlock: bigint | null;
  /** Type of an event for each of them in any case: what changed lies beside the position's own record. */
  readonly also?: string;
}

/** Refolds positions from their stored events: projection, usage and customer events, or their removal. */
export type ProjectPositions = (unit: StoreTransaction, projecting: Projecting) => Promise<void>;

export interface ProjectionOptions {
  /** The vault, and its name in the store. */
  readonly chainKey: string;
  readonly chainId: number;
  readonly vault: Address;
  readonly clock: Clock;
  /** Called once for a position whose digest matches no stored quote, when its creation is indexed. */
  readonly onUnknownQuote: (positionKey: string) => void;
}

export function positionProjection(options: ProjectionOptions): ProjectPositions {
  return async (unit, { subjects, ...projecting }) => {
    // All of them before any row is touched, or two refolds could wait for each other in a circle.
    await unit.positions.lockProjections(subjects);
    // In one order everywhere, so that two transactions never wait for each other's rows in a circle.
    const moves: UsageMove[] = [];
    for (const subject of subjects.toSorted()) {
      moves.push(await projectPosition(options, unit, { subject, ...projecting }));
    }
    // Usage last and together: its busiest counters are every quote's too, and are held as shortly as possible.
    await unit.usage.move(moves, options.clock.nowMs());
  };
}

async function projectPosition(
  options: ProjectionOptions,
  unit: StoreTransaction,
  { subject, fromBlock, also }: Omit<Projecting, 'subjects'> & { readonly subject: string },
): Promise<UsageMove> {
  const nowMs = options.clock.nowMs();
  const stored = (await unit.chain.eventsOf(options.chainKey, subject)).map(storedEventOf);
  const created = stored[0]?.name === 'PositionCreated' ? stored[0] : null;
  const market = created && (await unit.markets.lockByVenueMarketId(created.args.request.venueMarketId));
  const context = created && (await contextOf(options, unit, { created, market }));
  const events = stored.map(positionEventOf).filter((event) => event !== null);
  const projection = context && foldPosition(events, context);
  if (context === null || projection === null) {
    await removeAnnounced(unit, subject, nowMs);
    return { kind: 'forgotten', positionKey: subject };
  }
  const { position } = projection;
  const entries = fromBlock === null ? [] : outboxEntriesOf(events, { fromBlock, context, market });
  await putAnnounced(unit, { history: projection, market, entries, nowMs, ...(also !== undefined && { also }) });
  if (fromBlock !== null && position.quoteId === null && position.updatedBlockNumber === created?.blockNumber) {
    options.onUnknownQuote(position.positionKey);
  }
  return { kind: 'counted', usage: usageOf(position, market) };
}

type CreatedEvent = Extract<StoredEvent, { readonly name: 'PositionCreated' }>;

/** The operations whose intents a fold reads; they are kept as long as their position is. */
const foldedOperations: readonly Operation[] = ['refund', 'defer_close', 'authorize_unwind'];

async function contextOf(
  options: ProjectionOptions,
  unit: StoreTransaction,
  { created, market }: { readonly created: CreatedEvent; readonly market: MarketRecord | null },
): Promise<FoldContext> {
  const { positionKey } = created.args;
  const intents = await intentsOfSubject(unit.intents, positionKey.toLowerCase(), foldedOperations);
  const quote = await quoteOf(options, unit, created);
  return {
    positionId: positionIdOf(positionKey),
    quote: quote && quotedTermsOf(quote),
    market,
    arePayoutsKnown: arePayoutsKnown(market),
    refundReason: refundReasonOf(intents),
    closeDeferredAtMs: ofOperation(intents, 'defer_close')[0]?.createdAtMs ?? null,
    unwindOrders: unwindOrdersOf(intents),
  };
}

function quotedTermsOf({ id, partnerId, side, request, figures: priced, riskSignature }: QuoteRecord): QuotedTerms {
  return {
    ...priced.figures,
    id,
    partnerId,
    side,
    riskMode: priced.riskMode,
    risk: { exitSeconds: priced.exitSeconds, plannedUnwinds: priced.plannedUnwinds, signature: riskSignature },
    exitBufferBps: priced.exitBufferBps,
    slippageBps: priced.slippageBps,
    allowPartialFill: request.allowPartialFill,
    minFillBps: priced.minFillBps,
  };
}

function usageOf(position: Position, market: MarketRecord | null): PositionUsage {
  const { positionKey, partnerId, walletAddress, marketId, side } = position;
  const scope = { partnerId, walletAddress, marketId, side, clusterKey: market?.clusterKey ?? null };
  return { positionKey, scope, ...positionUsageOf(position) };
}

function arePayoutsKnown(market: MarketRecord | null): boolean {
  return market !== null && market.payoutDenominator !== null;
}

/** The stored quote whose digest the chain's own fields have: nothing else makes a position ours. */
async function quoteOf(
  { chainId, vault }: ProjectionOptions,
  unit: StoreTransaction,
  { args }: CreatedEvent,
): Promise<QuoteRecord | null> {
  const fields: CreatePositionFields = { ...args.request, user: args.user, chainId, vault };
  return unit.quotes.byDigest(createPositionDigest(fields));
}

/** Why each unwind was ordered: the intent of its authorisation knows. */
function unwindOrdersOf(intents: readonly Intent[]): FoldContext['unwindOrders'] {
  return new Map(
    ofOperation(intents, 'authorize_unwind').map(({ plan }) => {
      const { orderHash, unwind } = plan.details;
      return [orderHash.toLowerCase(), { reason: unwind.reason, rung: unwind.rung }];
    }),
  );
}

function refundReasonOf(intents: readonly Intent[]): Position['failureReason'] {
  return ofOperation(intents, 'refund').at(-1)?.plan.details.reason ?? null;
}
