import type { MarketRecord } from '@core/market';
import type { FoldContext, Position, PositionEvent, QuotedTerms } from '@core/position';
import { positionIdOf, type QuoteRecord, type StoreTransaction } from '@core/store';
import { type CreatePositionFields, createPositionDigest } from '@core/vault';
import type { Address } from 'viem';
import { type Intent, intentsOfSubject, ofOperation } from '../transactions/intents.ts';
import type { Operation } from '../transactions/intentTable.ts';
import { positionEventsOf, type StoredEvent, storedEventOf } from './ledgerEvent.ts';

/** The vault whose positions are folded. */
export interface FoldSource {
  /** Name of the vault in the store. */
  readonly chainKey: string;
  readonly chainId: number;
  readonly vault: Address;
}

/** Everything that the fold of a position reads. */
interface FoldInputs {
  readonly subject: string;
  readonly events: readonly PositionEvent[];
  /** Null when the chain has no such position. */
  readonly context: (FoldContext & { readonly market: MarketRecord | null }) | null;
}

type CreatedEvent = Extract<StoredEvent, { readonly name: 'PositionCreated' }>;

/** Operations whose intents a fold reads; their retention is that of the position. */
const foldedOperations: readonly Operation[] = ['refund', 'defer_close', 'authorize_unwind'];

/**
 * Read what the folds of positions need, in a statement for each kind of row, and keep their markets from changing.
 * @throws Error for a stored row that cannot be read.
 */
export async function readFoldInputs(
  source: FoldSource,
  unit: StoreTransaction,
  subjects: readonly string[],
): Promise<readonly FoldInputs[]> {
  const records = Map.groupBy(await unit.chain.eventsOf(source.chainKey, subjects), ({ subject }) => subject);
  const histories = subjects.map((subject) => {
    const events = (records.get(subject) ?? []).map(storedEventOf);
    const [first] = events;
    const origin = first?.name === 'PositionCreated' ? originOf(source, first) : null;
    return { subject, events: positionEventsOf(events), origin };
  });
  const origins = histories.flatMap(({ origin }) => (origin === null ? [] : [origin]));
  const rows = await readRows(unit, origins);
  return histories.map(({ subject, events, origin }) => {
    const context = origin && {
      ...factsOf(origin.positionKey, rows.intents.get(origin.positionKey) ?? []),
      ...listingOf(rows.markets.get(origin.venueMarketId) ?? null),
      quote: quotedTermsOf(rows.quotes.get(origin.digest) ?? null),
    };
    return { subject, events, context };
  });
}

/** Names of what is stored about a position, in lower case. */
interface Origin {
  readonly positionKey: string;
  readonly venueMarketId: string;
  /** Digest of the quote that the chain's own fields have. */
  readonly digest: string;
}

function originOf({ chainId, vault }: FoldSource, { args }: CreatedEvent): Origin {
  const fields: CreatePositionFields = { ...args.request, user: args.user, chainId, vault };
  return {
    positionKey: args.positionKey.toLowerCase(),
    venueMarketId: args.request.venueMarketId.toLowerCase(),
    digest: createPositionDigest(fields).toLowerCase(),
  };
}

async function readRows(unit: StoreTransaction, origins: readonly Origin[]) {
  const markets = await unit.markets.lockByVenueMarketIds([...new Set(origins.map((one) => one.venueMarketId))]);
  const quotes = await unit.quotes.byDigests(origins.map(({ digest }) => digest));
  const positionKeys = origins.map(({ positionKey }) => positionKey);
  const intents = await intentsOfSubject(unit.intents, positionKeys, foldedOperations);
  return {
    markets: new Map<string, MarketRecord>(markets.map((market) => [market.venueMarketId, market])),
    quotes: new Map<string, QuoteRecord>(quotes.map((quote) => [quote.digest, quote])),
    intents: Map.groupBy(intents, ({ subject }) => subject),
  };
}

function listingOf(market: MarketRecord | null) {
  return { market, arePayoutsKnown: market !== null && market.payoutDenominator !== null };
}

function factsOf(positionKey: string, intents: readonly Intent[]) {
  return {
    positionId: positionIdOf(positionKey),
    refundReason: refundReasonOf(intents),
    closeDeferredAtMs: ofOperation(intents, 'defer_close').at(-1)?.createdAtMs ?? null,
    unwindOrders: unwindOrdersOf(intents),
  };
}

function quotedTermsOf(quote: QuoteRecord | null): QuotedTerms | null {
  if (quote === null) return null;
  const { id, partnerId, side, request, figures: priced, riskSignature } = quote;
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

/**
 * Return the reason and rung of each unwind order, from the intents of its authorisation. A grant has no hash of its
 * own: the transaction that authorised it takes its place.
 */
function unwindOrdersOf(intents: readonly Intent[]): FoldContext['unwindOrders'] {
  return new Map(
    ofOperation(intents, 'authorize_unwind').flatMap(({ plan: { details }, transactionHash }) => {
      const { reason, rung } = details.unwind;
      const hash = 'orderHash' in details ? details.orderHash : transactionHash;
      return hash === null ? [] : [[hash.toLowerCase(), { reason, rung }] as const];
    }),
  );
}

function refundReasonOf(intents: readonly Intent[]): Position['failureReason'] {
  return ofOperation(intents, 'refund').at(-1)?.plan.details.reason ?? null;
}
