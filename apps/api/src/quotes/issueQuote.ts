import { Fault, isRejection, type Rejection, reject } from '@core/errors';
import {
  clusterBorrowCapOf,
  headroomOf,
  type PolicyConfig,
  type PricedQuote,
  quoteWindowOf,
  type UsageSnapshot,
  usageSnapshotOf,
  usageWithout,
} from '@core/policy';
import {
  createId,
  positionIdOf,
  type QuoteRecord,
  type ReserveRequest,
  type Store,
  type UsageStore,
} from '@core/store';
import { createPositionDigest, type Keccak256, positionKeyOf, type QuoteSigner, quotedRiskDigest } from '@core/vault';
import type { Address, Hex } from 'viem';
import { evmAddressOf, storedWalletAddressOf, type Wallet } from '../auth/walletAddress.ts';
import { type PoolView, poolUsageOf } from '../markets/poolReader.ts';
import type { QuoteDecider, QuoteQuestion } from './quoteDecider.ts';

/** Where quotes are valid. */
export interface Deployment {
  readonly chainId: number;
  readonly vault: Address;
  /** What its hashes are made with. */
  readonly keccak256: Keccak256;
}

/** A quote to be issued: the question, and the seed its position would have. */
export interface IssueRequest extends QuoteQuestion {
  /** 16 bytes. */
  readonly positionSeed: Hex;
  readonly draftId: string | null;
}

/** A stored quote with its signature. */
export interface SignedQuote {
  readonly kind: 'issued';
  readonly record: QuoteRecord;
  readonly signature: Hex;
}

/** A signed quote, or why there is none; `seed_used`: the seed's position exists already. */
export type IssuedQuote = SignedQuote | { readonly kind: 'seed_used' } | Rejection;

export type IssueQuote = (request: IssueRequest) => Promise<IssuedQuote>;

/**
 * Between two readings another caller may take the room that was seen, and the statement then refuses what was
 * decided. Deciding again on the newer counters names the code; more attempts than this mean that the database is in
 * trouble.
 */
export const maxAttempts = 4;

/** Observe what is used, decide, reserve and store in one statement, then sign. */
export function quoteIssuer(steps: {
  readonly observeUsage: UsageObserver;
  readonly decide: QuoteDecider['decide'];
  readonly reserve: QuoteReserver;
}): IssueQuote {
  return async (request) => {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const usage = await steps.observeUsage(request);
      const priced = steps.decide(request, usage);
      if (isRejection(priced)) return priced;
      const issued = await steps.reserve(request, priced);
      if (issued !== 'refused') return issued;
    }
    throw new Fault({ origin: 'store', kind: 'retryable', message: 'a reservation kept losing against others' });
  };
}

export type SignStored = (reservation: ReserveRequest) => SignedQuote;

/** Signs what a reservation stores. Deterministic: the same quote always has the same signature. */
export function quoteRecordSigner(signer: Pick<QuoteSigner, 'signDigest'>): SignStored {
  return ({ quote }) => ({
    kind: 'issued',
    record: { ...quote, positionId: positionIdOf(quote.positionKey) },
    signature: signer.signDigest(quote.digest as Hex),
  });
}

type UnsignedQuote = Omit<QuoteRecord, 'positionId' | 'riskSignature'>;
type SignRisk = (record: UnsignedQuote) => Hex;

/** Signs what a quote fixes of how its debt is watched: the price signer believes it from any keeper. */
export function quotedRiskSigner(signer: Pick<QuoteSigner, 'signDigest'>, deployment: Deployment): SignRisk {
  return ({ positionKey, figures: { exitSeconds, plannedUnwinds } }) => {
    const key = positionKey as Hex;
    return signer.signDigest(
      quotedRiskDigest({ ...deployment, positionKey: key, exitSeconds, plannedUnwinds }, deployment.keccak256),
    );
  };
}

/** Key of the position a seed would open for a wallet; all promotions of a draft have the same. */
export function positionKeyFor(deployment: Deployment, wallet: Wallet, positionSeed: Hex): Hex {
  return positionKeyOf({ ...deployment, user: evmAddressOf(wallet), positionSeed }, deployment.keccak256);
}

export type UsageObserver = (request: IssueRequest) => Promise<UsageSnapshot>;

/** Reads what counts against the caps now. */
export function usageObserver(sources: {
  readonly usage: Pick<UsageStore, 'read' | 'reservation'>;
  readonly pool: PoolView;
  readonly deployment: Deployment;
}): UsageObserver {
  const { usage, pool, deployment } = sources;
  return async ({ caller: { partner, wallet }, market: { record }, request, positionSeed, draftId }) => {
    const isShared = draftId !== null && wallet.kind === 'evm';
    const [counters, reservation] = await Promise.all([
      usage.read({
        partnerId: partner.id,
        walletAddress: storedWalletAddressOf(wallet),
        marketId: record.id,
        clusterKey: record.clusterKey,
      }),
      isShared ? usage.reservation(positionKeyFor(deployment, wallet, positionSeed)) : null,
    ]);
    const others = reservation?.state === 'live' ? usageWithout(counters, reservation, request.side) : counters;
    return usageSnapshotOf(others, poolUsageOf(pool, record));
  };
}

/** What a decided quote asks of the database; null without a view of the pool, on which nothing can be promised. */
export type ReservationOf = (request: IssueRequest, priced: PricedQuote) => ReserveRequest | null;

export function reservationBuilder(parts: {
  readonly deployment: Deployment;
  readonly policy: PolicyConfig;
  readonly pool: PoolView;
  readonly signRisk: SignRisk;
}): ReservationOf {
  const { deployment, policy, signRisk } = parts;
  return (request, priced) => {
    const { caller, market, nowMs } = request;
    const chain = poolUsageOf(parts.pool, market.record);
    if (chain.pool === null) return null;
    const { signatureExpirySeconds, releaseAtMs } = quoteWindowOf(nowMs, policy);
    const outcome = chain[request.request.side];
    const unsigned = quoteRecordOf(request, priced, { ...deployment, signatureExpirySeconds });
    return {
      quote: { ...unsigned, riskSignature: signRisk(unsigned) },
      clusterKey: market.record.clusterKey,
      releaseAtMs,
      limits: {
        ...caller.partner.terms.limits,
        clusterBorrowUsdcUnits: clusterBorrowCapOf(market.snapshot.facts, chain.pool, policy),
        poolFreeLiquidityUsdcUnits: chain.pool.freeLiquidityUsdcUnits,
        outcomePromisedUsdcUnits:
          outcome && headroomOf({ capUsdcUnits: outcome.capUsdcUnits, currentUsdcUnits: outcome.loanUsdcUnits }),
      },
    };
  };
}

type QuoteReserver = (request: IssueRequest, priced: PricedQuote) => Promise<IssuedQuote | 'refused'>;

/** Checks the caps once more, counts the quote against them and stores it: one statement. */
export function quoteReserver(parts: {
  readonly quotes: Pick<Store['quotes'], 'reserve'>;
  readonly reservationOf: ReservationOf;
  readonly sign: SignStored;
}): QuoteReserver {
  const { quotes, reservationOf, sign } = parts;
  return async (request, priced) => {
    const reservation = reservationOf(request, priced);
    if (reservation === null) return reject('quote_market_not_ready');
    const outcome = await quotes.reserve(reservation);
    if (outcome.kind === 'used') return { kind: 'seed_used' };
    if (outcome.kind === 'refused') return 'refused';
    return sign(reservation);
  };
}

function quoteRecordOf(
  { caller, market: { record }, request, positionSeed, draftId, nowMs }: IssueRequest,
  priced: PricedQuote,
  signed: Deployment & { readonly signatureExpirySeconds: bigint },
): UnsignedQuote {
  const { signatureExpirySeconds } = signed;
  const digest = createPositionDigest(
    {
      ...priced.figures,
      ...signed,
      positionSeed,
      user: evmAddressOf(caller.wallet),
      venueMarketId: record.venueMarketId as Hex,
      venueTokenId: BigInt(priced.tokenId),
      signatureExpiry: signatureExpirySeconds,
    },
    signed.keccak256,
  );
  return {
    id: createId('off', nowMs),
    draftId,
    partnerId: caller.partner.id,
    walletAddress: storedWalletAddressOf(caller.wallet),
    marketId: record.id,
    side: request.side,
    positionKey: positionKeyFor(signed, caller.wallet, positionSeed),
    positionSeed,
    digest,
    signatureExpirySeconds,
    request,
    figures: priced,
    createdAtMs: nowMs,
  };
}
