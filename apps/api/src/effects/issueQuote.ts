import { Fault, isRejection, type Rejection, reject } from '@core/errors';
import {
  decideQuote,
  type MarketSnapshot,
  type PricedQuote,
  type QuoteRequest,
  type UsageSnapshot,
} from '@core/policy';
import { createId, type MarketRecord, positionIdOf, type QuoteRecord } from '@core/store';
import { type CreatePositionFields, createPositionDigest, positionKeyOf } from '@core/vault';
import { getAddress, type Hex } from 'viem';
import type { Caller } from '../auth/caller.ts';
import { storedWalletAddressOf } from '../auth/walletAddress.ts';
import { serviceSnapshotOf } from '../observe/serviceSnapshot.ts';
import { chainUsageOf, usageSnapshotOf, withoutReservation } from '../observe/usageSnapshot.ts';
import type { Service } from '../service.ts';
import { reserveLimitsOf } from './reserveLimits.ts';

/** A quote to be issued: who asks for what, and the seed its position would have. */
export interface QuoteOffer {
  readonly caller: Extract<Caller, { kind: 'user' }>;
  readonly market: { readonly record: MarketRecord; readonly snapshot: MarketSnapshot };
  readonly request: QuoteRequest;
  /** 16 bytes. */
  readonly positionSeed: Hex;
  readonly draftId: string | null;
  readonly nowMs: number;
}

/** A stored quote with its signature. */
export interface IssuedQuote {
  readonly kind: 'issued';
  readonly record: QuoteRecord;
  readonly signature: Hex;
}

/** The seed's position exists already, so no quote of it can ever be used. */
export interface SeedUsed {
  readonly kind: 'seed_used';
}

/**
 * Between two readings another caller may take the room that was seen, and the statement then refuses what was
 * decided. Deciding again on the newer counters names the code; more turns than this mean the database is in trouble.
 */
const maxTurns = 4;

/** Decide, reserve and store in one statement, then sign. */
export async function issueQuote(service: Service, offer: QuoteOffer): Promise<IssuedQuote | SeedUsed | Rejection> {
  for (let turn = 0; turn < maxTurns; turn += 1) {
    const usage = await observeUsage(service, offer);
    const priced = decideQuote({
      kind: 'quote',
      request: offer.request,
      snapshot: offer.market.snapshot,
      terms: offer.caller.partner.terms,
      usage,
      service: serviceSnapshotOf(service, offer.nowMs),
      contract: service.contract,
      config: service.policy,
    });
    if (isRejection(priced)) return priced;
    const reserved = await reserve(service, offer, { priced, usage });
    if (reserved !== 'refused') return reserved;
  }
  throw new Fault({ origin: 'store', kind: 'retryable', message: 'a reservation kept losing against others' });
}

/** Signs a stored quote. Deterministic: a quote stored before a crash gets the very signature it would have had. */
export function signStored(service: Service, record: QuoteRecord): IssuedQuote {
  return { kind: 'issued', record, signature: service.signer.signDigest(record.digest as Hex) };
}

/** Key of the position a seed would open for this caller. */
export function keyOf(service: Service, offer: Pick<QuoteOffer, 'caller' | 'positionSeed'>): Hex {
  const { config } = service;
  return positionKeyOf({
    chainId: config.chainId,
    vault: config.contracts.vault,
    user: getAddress(offer.caller.wallet.address),
    positionSeed: offer.positionSeed,
  });
}

async function observeUsage(service: Service, offer: QuoteOffer): Promise<UsageSnapshot> {
  const { record } = offer.market;
  const scope = {
    partnerId: offer.caller.partner.id,
    walletAddress: storedWalletAddressOf(offer.caller.wallet),
    marketId: record.id,
    clusterKey: record.clusterKey,
  };
  const isShared = offer.draftId !== null && offer.caller.wallet.kind === 'evm';
  const [counters, reservation] = await Promise.all([
    service.store.usage.read(scope),
    isShared ? service.store.usage.reservation(keyOf(service, offer)) : null,
  ]);
  const own = withoutReservation(counters, reservation, offer.request.side);
  return usageSnapshotOf(own, chainUsageOf(service.pool, record));
}

async function reserve(
  service: Service,
  offer: QuoteOffer,
  { priced, usage }: { readonly priced: PricedQuote; readonly usage: UsageSnapshot },
): Promise<IssuedQuote | SeedUsed | Rejection | 'refused'> {
  // A decision without a view of the pool has been a refusal.
  if (usage.pool === null) return reject('quote_market_not_ready');
  const quote = storedQuoteOf(service, offer, priced);
  const { terms } = offer.caller.partner;
  const outcome = await service.store.quotes.reserve({
    quote,
    notionalUsdPips: priced.figures.notionalUsdPips,
    borrowUsdcUnits: priced.figures.borrowUsdcUnits,
    clusterKey: offer.market.record.clusterKey,
    releaseAtMs: (Number(quote.signatureExpirySeconds) + service.policy.quote.graceSeconds) * 1_000,
    limits: reserveLimitsOf({ terms, facts: offer.market.snapshot.facts, pool: usage.pool, policy: service.policy }),
  });
  if (outcome.kind === 'used') return { kind: 'seed_used' };
  if (outcome.kind === 'refused') return 'refused';
  service.crashAt('after_reserve');
  return signStored(service, { ...quote, positionId: positionIdOf(quote.positionKey) });
}

function storedQuoteOf(service: Service, offer: QuoteOffer, priced: PricedQuote): Omit<QuoteRecord, 'positionId'> {
  const { caller, market, nowMs } = offer;
  const signatureExpirySeconds = BigInt(Math.floor(nowMs / 1_000) + service.policy.quote.windowSeconds);
  const fields: CreatePositionFields = {
    positionSeed: offer.positionSeed,
    user: getAddress(caller.wallet.address),
    venueMarketId: market.record.venueMarketId as Hex,
    venueTokenId: BigInt(priced.tokenId),
    collateralUsdcUnits: priced.figures.collateralUsdcUnits,
    leverageBps: priced.figures.leverageBps,
    notionalUsdcUnits: priced.figures.notionalUsdcUnits,
    originationFeeBps: priced.figures.originationFeeBps,
    lifetimeFeeAprBps: priced.figures.lifetimeFeeAprBps,
    liquidationFeeBps: priced.figures.liquidationFeeBps,
    signatureExpiry: signatureExpirySeconds,
    chainId: service.config.chainId,
    vault: service.config.contracts.vault,
  };
  return {
    id: createId('off', nowMs),
    draftId: offer.draftId,
    partnerId: caller.partner.id,
    walletAddress: storedWalletAddressOf(caller.wallet),
    marketId: market.record.id,
    side: offer.request.side,
    positionKey: keyOf(service, offer),
    positionSeed: offer.positionSeed,
    digest: createPositionDigest(fields),
    signatureExpirySeconds,
    request: offer.request,
    figures: priced,
    createdAtMs: nowMs,
  };
}
