import { Fault, isRejection, type Rejection } from '@core/errors';
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
import { createId, positionIdOf, type QuoteRecord, type ReserveRequest, type UsageStore } from '@core/store';
import { inPositionSpan } from '@core/tracing';
import { createPositionDigest, type Keccak256, positionKeyOf, type QuoteSigner, quotedRiskDigest } from '@core/vault';
import type { QuoteWire } from '@core/wire';
import type { Address, Hex } from 'viem';
import { evmAddressOf, storedWalletAddressOf, type Wallet } from '../auth/walletAddress.ts';
import type { Reserving, StoredAnswer } from '../http/call.ts';
import { type PoolView, poolUsageOf } from '../markets/poolReader.ts';
import type { QuoteDecider, QuoteQuestion } from './quoteDecider.ts';

/** Chain and vault on which quotes are valid. */
export interface Deployment {
  readonly chainId: number;
  readonly vault: Address;
  /** Hash function of digests and keys. */
  readonly keccak256: Keccak256;
}

/** Quote to issue: the question, and the seed of its position. */
export interface IssueRequest extends QuoteQuestion {
  /** 16 bytes. */
  readonly positionSeed: Hex;
  readonly draftId: string | null;
}

/** A stored quote with its signature. */
export interface SignedQuote {
  readonly record: QuoteRecord;
  readonly signature: Hex;
}

type UnsignedQuote = Omit<QuoteRecord, 'positionId' | 'riskSignature'>;

/** More attempts than this mean that the database is in trouble. */
const maxAttempts = 4;

/** Return the key of the position that a seed opens for a wallet; all promotions of a draft have the same. */
export function positionKeyFor(deployment: Deployment, wallet: Wallet, positionSeed: Hex): Hex {
  return positionKeyOf({ ...deployment, user: evmAddressOf(wallet), positionSeed }, deployment.keccak256);
}

/** Dependencies of a `QuoteIssuer`. */
interface IssuerParts {
  readonly decider: Pick<QuoteDecider, 'decide'>;
  readonly usage: Pick<UsageStore, 'read' | 'reservation'>;
  readonly pool: PoolView;
  readonly policy: PolicyConfig;
  readonly deployment: Deployment;
  readonly signer: Pick<QuoteSigner, 'signDigest'>;
}

/** Issue of quotes: decide, reserve, answer. Creation and promotion share it. */
// Decision: apps/api/DECISIONS.md#a-quote-is-decided-before-it-is-admitted
export class QuoteIssuer {
  readonly #parts: IssuerParts;

  constructor(parts: IssuerParts) {
    this.#parts = parts;
  }

  /**
   * Decide from memory without usage, which passes every gate but the caps, and reserve. The statement enforces the
   * caps. Where one of them refuses, read the usage behind it. The same gates then name the code or grant a smaller
   * size. The answer leaves only after the statement has committed.
   * @returns The stored answer, the first refusal, or `used` when the position of the seed exists already.
   * @throws Fault when others keep taking the capacity between reading and reserving.
   */
  async issue(
    request: IssueRequest,
    reserving: Reserving<QuoteWire>,
    present: (signed: SignedQuote) => QuoteWire,
  ): Promise<StoredAnswer | Rejection | { readonly kind: 'used' }> {
    let usage: UsageSnapshot | null = null;
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const priced = this.#parts.decider.decide(request, usage);
      if (isRejection(priced)) return priced;
      const reservation = await this.#reservationOf(request, priced);
      // Without a view of the pool nothing can be reserved; with the usage the gates refuse.
      const outcome =
        reservation === null
          ? await reserving.enter()
          : await reserving.reserve(reservation, present(await this.#sign(reservation)));
      if (outcome !== null && outcome.kind !== 'refused') return outcome;
      usage = await this.#observeUsage(request);
    }
    throw new Fault({ origin: 'store', kind: 'retryable', message: 'a reservation kept losing against others' });
  }

  /** Read the usage behind the caps, without what the promotions of the same draft reserve already. */
  async #observeUsage({
    caller,
    market: { record },
    request,
    positionSeed,
    draftId,
  }: IssueRequest): Promise<UsageSnapshot> {
    const { usage, pool, deployment } = this.#parts;
    const { partner, wallet } = caller;
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
  }

  /** Return what the statement stores and counts, with its caps; null without a view of the pool. */
  async #reservationOf(request: IssueRequest, priced: PricedQuote): Promise<ReserveRequest | null> {
    const { policy, deployment } = this.#parts;
    const { caller, market, nowMs } = request;
    const { pool, ...loans } = poolUsageOf(this.#parts.pool, market.record);
    if (pool === null) return null;
    const { signatureExpirySeconds, releaseAtMs } = quoteWindowOf(nowMs, policy);
    const unsigned = unsignedQuoteOf(request, priced, { ...deployment, signatureExpirySeconds });
    const { limits } = caller.partner.terms;
    const loan = loans[request.request.side];
    return {
      quote: { ...unsigned, riskSignature: await this.#signRisk(unsigned) },
      clusterKey: market.record.clusterKey,
      releaseAtMs,
      // The caps that the gates of the policy check against a reading; the statement checks them against the counters.
      limits: {
        user: { notionalUsdPips: limits.userNotionalUsdPips, borrowUsdcUnits: limits.userBorrowUsdcUnits },
        cluster: { borrowUsdcUnits: clusterBorrowCapOf(market.snapshot.facts, pool, policy) },
        side: {
          notionalUsdPips: limits.sideNotionalUsdPips,
          borrowUsdcUnits: limits.sideBorrowUsdcUnits,
          promisedUsdcUnits:
            loan && headroomOf({ capUsdcUnits: loan.capUsdcUnits, currentUsdcUnits: loan.loanUsdcUnits }),
        },
        market: { notionalUsdPips: limits.marketNotionalUsdPips, borrowUsdcUnits: limits.marketBorrowUsdcUnits },
        partner: { notionalUsdPips: limits.partnerNotionalUsdPips },
        global: {
          notionalUsdPips: limits.globalNotionalUsdPips,
          borrowUsdcUnits: limits.totalBorrowUsdcUnits,
          promisedUsdcUnits: pool.freeLiquidityUsdcUnits,
        },
      },
    };
  }

  /** Sign what a reservation stores. */
  #sign({ quote }: ReserveRequest): Promise<SignedQuote> {
    return inPositionSpan(quote.positionKey, { name: 'sign quote' }, async () => ({
      record: { ...quote, positionId: positionIdOf(quote.positionKey) },
      signature: await this.#parts.signer.signDigest(quote.digest),
    }));
  }

  /** Sign exit time and ladder of a quote's debt, so that the price signer accepts them from any keeper. */
  #signRisk({ positionKey, figures: { exitSeconds, plannedUnwinds } }: UnsignedQuote): Promise<Hex> {
    const { deployment, signer } = this.#parts;
    return signer.signDigest(
      quotedRiskDigest({ ...deployment, positionKey, exitSeconds, plannedUnwinds }, deployment.keccak256),
    );
  }
}

function unsignedQuoteOf(
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
      venueMarketId: record.venueMarketId,
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
