import {
  type AttestationRefusal,
  type GrantBatchRequest,
  type GrantRequest,
  isTransientRefusal,
  maxBatchMembers,
} from '@core/attestation';
import {
  awaitEnd,
  decideGrantOrder,
  type GrantConsent,
  grantSizesOf,
  type OrderAction,
  type Wait,
} from '@core/position';
import { type PricePips, type RateBps, raw } from '@core/pricing';
import type { Lease } from '@core/store';
import {
  type GrantAttestation,
  type GrantBatch,
  hashGrantBatch,
  toGrantAttestationStruct,
  toGrantBatchStruct,
  type VaultDomain,
  vaultAbi,
} from '@core/vault';
import type { Logger } from 'pino';
import { encodeFunctionData, type Hex } from 'viem';
import { BatchQueue, type Finish } from '../runner/batchQueue.ts';
import type { AskPriceSigners, QuorumAnswer } from '../signers/signatureQuorum.ts';
import type { BatchSender } from '../transactions/batchSender.ts';
import type { SendOutcome, TransactionSender } from '../transactions/transactionSender.ts';
import { refusalsIn } from './batchRefusals.ts';
import type { ObservedPosition } from './observePosition.ts';
import type { AuthorizationResult, Authorizer } from './orderAuthorizer.ts';
import { awayDelayMs, batchMemberOf, quotedRiskOf, type SaleAction, sendAuthorization } from './sendAuthorization.ts';

export interface GrantAuthorizerDependencies {
  readonly askAlone: AskPriceSigners<GrantRequest, GrantAttestation>;
  readonly askTogether: AskPriceSigners<GrantBatchRequest, GrantBatch>;
  readonly sender: Pick<TransactionSender, 'send'>;
  readonly batches: Pick<BatchSender, 'send'>;
  readonly domain: VaultDomain;
  readonly logger: Logger;
}

type GrantDecision = ReturnType<typeof decideGrantOrder>;

/** A decided action of a position. */
interface Grant {
  readonly current: ObservedPosition;
  readonly action: OrderAction;
  readonly lease: Lease;
}

/** A sale that may be granted together with others of its token. */
type Sale = Grant & { readonly action: SaleAction };

/** Gas limit of a batch: per member half more than it usually takes; one may use what another does not. */
const batchGas = { fixed: 200_000n, perMember: 150_000n };

/**
 * Authorisation of grants: consent of the price signers and the vault's transaction. Anyone fills them from then on,
 * and the last fill ends them; one that ended unfilled is booked and authorised again by later steps. Sales of one
 * token and purpose that are due while another is attested share one consent and one transaction.
 */
export class GrantAuthorizer implements Authorizer {
  readonly #dependencies: GrantAuthorizerDependencies;
  readonly #sales: BatchQueue<Sale, AuthorizationResult>;
  /** Positions that a batch refused, or that failed with it: alone they get a reason, and delay no other. */
  readonly #refused = new Set<string>();

  constructor(dependencies: GrantAuthorizerDependencies) {
    this.#dependencies = dependencies;
    this.#sales = new BatchQueue<Sale, AuthorizationResult>({
      maxCount: maxBatchMembers,
      keyOf: ({ current, action }) => `${action.purpose} ${current.record.venueTokenId}`,
      prepare: (sales) => this.#prepare(sales),
    });
  }

  async authorize(current: ObservedPosition, action: OrderAction, lease: Lease): Promise<AuthorizationResult> {
    const { positionKey } = current.record;
    if (action.purpose === 'open' || this.#refused.delete(positionKey)) {
      return (await this.#alone({ current, action, lease }))();
    }
    return this.#sales.run({ current, action, lease });
  }

  async #prepare(sales: readonly Sale[]): Promise<readonly Finish<AuthorizationResult>[]> {
    const [sale, ...others] = sales;
    return sale === undefined || others.length > 0 ? this.#together(sales) : [await this.#alone(sale)];
  }

  /** Ask for one grant; the rest of its work is the transaction. */
  async #alone({ current, action, lease }: Grant): Promise<Finish<AuthorizationResult>> {
    const { sender, domain } = this.#dependencies;
    const { positionKey } = current.record;
    const { purpose } = action;
    const quotedRisk = quotedRiskOf(current, purpose);
    const answer = await this.#consentTo(grantSizesOf(action), { positionKey, purpose, quotedRisk });
    if (answer.kind === 'away') return () => Promise.resolve(signersAway(current));
    const decided = decideGrantOrder(
      action,
      answer.kind === 'refused' ? refusedConsent(answer) : givenBy(answer.attestation),
    );
    if (decided.kind !== 'send') return () => Promise.resolve(decided);
    if (answer.kind === 'refused') return () => Promise.resolve(null);
    const { attestation, signatures } = answer;
    const args = [
      positionKey,
      attestation.purpose,
      decided.mostUnits,
      toGrantAttestationStruct(attestation),
      signatures,
    ] as const;
    const data = encodeFunctionData({ abi: vaultAbi, functionName: 'authorizeGrant', args });
    const details = detailsOf({ current, action }, decided);
    const call = { kind: 'transaction', to: domain.vault, data } as const;
    return async () => {
      const outcome = await sendAuthorization(sender, { positionKey, action, call, details, lease });
      this.#log({ current, action }, attestation, outcome);
      return outcome.kind === 'included' ? granted(current, attestation) : { kind: 'not_authorized', outcome };
    };
  }

  /** Ask for the first of the sizes that the book takes. */
  async #consentTo(
    [mostUnits = 0n, ...smaller]: readonly bigint[],
    request: Omit<GrantRequest, 'mostUnits'>,
  ): ReturnType<GrantAuthorizerDependencies['askAlone']> {
    const answer = await this.#dependencies.askAlone({ ...request, mostUnits });
    const isThin = answer.kind === 'refused' && answer.code === 'book_too_thin';
    return isThin && smaller.length > 0 ? this.#consentTo(smaller, request) : answer;
  }

  /** Ask for the grants of several sales under one consent. A sale that it leaves out goes alone. */
  async #together(sales: readonly Sale[]): Promise<readonly Finish<AuthorizationResult>[]> {
    const alone =
      (sale: Sale): Finish<AuthorizationResult> =>
      async () =>
        (await this.#alone(sale))();
    const answer = await this.#askTogether(sales);
    if (answer === null || answer.kind === 'refused') return sales.map(alone);
    if (answer.kind === 'away')
      return sales.map(
        ({ current }) =>
          () =>
            Promise.resolve(signersAway(current)),
      );
    const { attestation: batch, signatures } = answer;
    const saleOf = new Map<string, Sale>(sales.map((sale) => [sale.current.record.positionKey, sale]));
    const decisions = new Map<Sale, GrantDecision>();
    for (const member of batch.members) {
      const sale = saleOf.get(member.positionKey);
      if (sale !== undefined) decisions.set(sale, decideGrantOrder(sale.action, givenBy(member)));
    }
    const sizes = batch.members.map(({ positionKey }) => {
      const sale = saleOf.get(positionKey);
      return sizeIn(sale === undefined ? undefined : decisions.get(sale));
    });
    const sending = once(async () => {
      const outcome = await this.#send({ batch, sizes, signatures }, decisions);
      return { outcome, refusals: refusalsIn(outcome.kind === 'included' ? outcome.receipt : null) };
    });
    return sales.map((sale): Finish<AuthorizationResult> => {
      const decided = decisions.get(sale);
      if (decided === undefined) return alone(sale);
      if (decided.kind !== 'send') return () => Promise.resolve(decided);
      return async () => this.#resultOf(sale, batch, await sending());
    });
  }

  /** Ask for one consent; null where that fails. Any sale may be the cause: each goes alone, now and the next time. */
  async #askTogether(sales: readonly Sale[]): Promise<QuorumAnswer<GrantBatch> | null> {
    const request = batchRequestOf(sales);
    if (request === null) return null;
    return this.#dependencies.askTogether(request).catch((err: unknown) => {
      for (const { current } of sales) this.#refused.add(current.record.positionKey);
      this.#dependencies.logger.warn({ err, count: sales.length }, 'sales are granted alone: their batch failed');
      return null;
    });
  }

  /** Send the transaction of a batch, with the intent of each sale that is granted. */
  #send(
    consent: { readonly batch: GrantBatch; readonly sizes: readonly bigint[]; readonly signatures: Hex },
    decisions: ReadonlyMap<Sale, GrantDecision>,
  ): Promise<SendOutcome> {
    const { batches, domain } = this.#dependencies;
    const { batch, sizes, signatures } = consent;
    const args = [toGrantBatchStruct(batch), sizes, signatures] as const;
    const data = encodeFunctionData({ abi: vaultAbi, functionName: 'authorizeMany', args });
    const hash = hashGrantBatch(batch, domain);
    const members = [...decisions].flatMap(([sale, decided]) => {
      if (decided.kind !== 'send') return [];
      const { current, action } = sale;
      const { positionKey } = current.record;
      return [batchMemberOf({ positionKey, action, details: detailsOf(sale, decided) }, hash)];
    });
    const gas = batchGas.fixed + batchGas.perMember * BigInt(batch.members.length);
    const [first] = decisions.keys();
    if (first === undefined) throw new Error('a batch without members was sent');
    const { lease, current } = first;
    const decidedAtMs = current.chain.blockTimeMs;
    const call = { to: domain.vault, data, gas };
    return batches.send({ batch: hash, members, call, decidedAtMs, lease });
  }

  #resultOf(
    sale: Sale,
    batch: GrantBatch,
    { outcome, refusals }: { readonly outcome: SendOutcome; readonly refusals: ReadonlyMap<string, string> },
  ): AuthorizationResult {
    const { positionKey } = sale.current.record;
    const member = batch.members.find((one) => one.positionKey === positionKey);
    const revert = refusals.get(positionKey);
    const ownOutcome = revert === undefined ? outcome : ({ kind: 'refused', intent: outcome.intent, revert } as const);
    if (member !== undefined) this.#log(sale, { ...member, markPips: batch.markPips }, ownOutcome);
    if (ownOutcome.kind === 'included') return granted(sale.current, batch);
    this.#refused.add(positionKey);
    return { kind: 'not_authorized', outcome: ownOutcome };
  }

  #log(
    { current, action }: Pick<Grant, 'current' | 'action'>,
    attested: { readonly markPips: PricePips; readonly limitPips: PricePips },
    outcome: SendOutcome,
  ): void {
    const { positionKey } = current.record;
    const { purpose, attempt } = action;
    const [markPips, limitPips] = [raw(attested.markPips), raw(attested.limitPips)];
    const facts = { positionKey, purpose, attempt, markPips, limitPips, outcome: outcome.kind };
    this.#dependencies.logger.info(facts, 'grant authorised');
  }
}

/** Return the request for one consent to several sales; null for a single one. */
function batchRequestOf(sales: readonly Sale[]): GrantBatchRequest | null {
  const [first] = sales;
  if (first === undefined) return null;
  const members = sales.map(({ current, action }) => ({
    positionKey: current.record.positionKey,
    mostUnits: grantSizesOf(action)[0] ?? 0n,
    quotedRisk: quotedRiskOf(current, action.purpose),
  }));
  return { purpose: first.action.purpose, members };
}

/** Units that a member is granted; the vault grants none of a member that the keeper left out. */
const sizeIn = (decided: GrantDecision | undefined): bigint => (decided?.kind === 'send' ? decided.mostUnits : 0n);

/** A step before a fill or the end of the grant would observe nothing new. */
const granted = ({ observation }: ObservedPosition, { notAfter }: Pick<GrantBatch, 'notAfter'>): Wait =>
  awaitEnd({ isGrant: true, validUntilMs: Number(notAfter) * 1_000 }, observation.nowMs);

const signersAway = ({ observation }: ObservedPosition): Wait => {
  return { kind: 'wait', reason: 'price_signers_away', untilMs: observation.nowMs + awayDelayMs };
};

function detailsOf(
  { current, action }: Pick<Grant, 'current' | 'action'>,
  { mostUnits }: Extract<GrantDecision, { readonly kind: 'send' }>,
) {
  return { grant: { mostUnits }, attempt: action.attempt, decidedAtMs: current.chain.blockTimeMs };
}

const refusedConsent = ({ code }: AttestationRefusal): GrantConsent => {
  return { kind: 'refused', code, isTransient: isTransientRefusal(code) };
};

function givenBy({
  limitPips,
  venueFeeBps,
  mostUnits,
}: {
  readonly limitPips: PricePips;
  readonly venueFeeBps: RateBps;
  readonly mostUnits: bigint;
}): GrantConsent {
  return { kind: 'given', mostUnits, limitPricePips: limitPips, venueFeeBps: raw(venueFeeBps) };
}

/** Run work at its first call, and return the same promise from then on. */
function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | null = null;
  return () => (running ??= work());
}
