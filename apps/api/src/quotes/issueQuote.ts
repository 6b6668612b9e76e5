import { isRejection, type Rejection, reject } from '@core/errors';
import {
  type ChainUsage,
  type PolicyConfig,
  type PoolSnapshot,
  type PricedQuote,
  quoteCapsOf,
  quoteWindowOf,
  usageSnapshotOf,
} from '@core/policy';
import { createId, positionIdOf, type QuoteRecord, type ReserveRequest } from '@core/store';
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

/** A reading of the chain that shows the pool. */
type ReadChain = ChainUsage & { readonly pool: PoolSnapshot };

/** Return the key of the position that a seed opens for a wallet; all promotions of a draft have the same. */
export function positionKeyFor(deployment: Deployment, wallet: Wallet, positionSeed: Hex): Hex {
  return positionKeyOf({ ...deployment, user: evmAddressOf(wallet), positionSeed }, deployment.keccak256);
}

/** Dependencies of a `QuoteIssuer`. */
interface IssuerParts {
  readonly decider: Pick<QuoteDecider, 'decisionOf'>;
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
   * caps. Where one of them refuses, the same gates name the code from the usage that the statement decided on, so that
   * a refused quote reads and tries nothing again. The answer leaves only after the statement has committed.
   * @returns The stored answer, the first refusal, or `used` when the position of the seed exists already.
   */
  async issue(
    request: IssueRequest,
    reserving: Reserving<QuoteWire>,
    present: (signed: SignedQuote) => QuoteWire,
  ): Promise<StoredAnswer | Rejection | { readonly kind: 'used' }> {
    const decide = this.#parts.decider.decisionOf(request);
    const priced = decide(null);
    if (isRejection(priced)) return priced;
    const chain = poolUsageOf(this.#parts.pool, request.market.record);
    // Without a view of the pool nothing can be reserved.
    if (chain.pool === null) return (await reserving.enter()) ?? reject('quote_market_not_ready');
    const reservation = await this.#reservationOf(request, priced, { ...chain, pool: chain.pool });
    const outcome = await reserving.reserve(reservation, present(await this.#sign(reservation)));
    if (outcome.kind !== 'refused') return outcome;
    const refusal = decide(usageSnapshotOf(outcome.usage, chain));
    if (!isRejection(refusal)) throw new Error('the gates pass what a cap of the statement refuses');
    return refusal;
  }

  /** Return what the statement stores and counts, with its caps. */
  async #reservationOf(request: IssueRequest, priced: PricedQuote, chain: ReadChain): Promise<ReserveRequest> {
    const { policy, deployment } = this.#parts;
    const { caller, market, nowMs } = request;
    const { signatureExpirySeconds, releaseAtMs } = quoteWindowOf(nowMs, policy);
    const unsigned = unsignedQuoteOf(request, priced, { ...deployment, signatureExpirySeconds });
    return {
      quote: { ...unsigned, riskSignature: await this.#signRisk(unsigned) },
      clusterKey: market.record.clusterKey,
      releaseAtMs,
      limits: quoteCapsOf({ facts: market.snapshot.facts, side: request.request.side }, chain, {
        terms: caller.partner.terms,
        config: policy,
      }),
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
