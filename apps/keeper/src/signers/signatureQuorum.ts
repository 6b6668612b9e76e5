import { setTimeout as delay } from 'node:timers/promises';
import { type AttestationRefusal, type AttestationRequest, isTransientRefusal } from '@core/attestation';
import type { PriceAttestation, VaultDomain } from '@core/vault';
import type { ConsentForm, Marked } from './consentForm.ts';
import { type JointConsent, jointConsentOf } from './jointConsent.ts';
import type { PriceSigners } from './priceSigners.ts';
import {
  type AbleSigner,
  type Asking,
  type Proposal,
  proposalOf,
  signerFault,
  type Unsigned,
} from './signerAnswers.ts';

export type QuorumAnswer<Attestation = PriceAttestation> =
  | JointConsent<Attestation>
  | AttestationRefusal
  /** Too few price signers answer: none was asked. */
  | { readonly kind: 'away' };

/** Ask the price signers for their consent. @throws Fault, retryable, when too few of them decided. */
export type AskPriceSigners<Request = AttestationRequest, Attestation = PriceAttestation> = (
  request: Request,
) => Promise<QuorumAnswer<Attestation>>;

export interface QuorumOptions {
  readonly signers: Pick<PriceSigners, 'able' | 'requiredCount' | 'isQuorate'>;
  readonly domain: VaultDomain;
  /** Wait for the others after enough have proposed, in milliseconds. */
  readonly patienceMs?: number;
  /** Wait for a silent signer after enough others have answered without a quorum, in milliseconds. */
  readonly silenceMs?: number;
}

const defaultPatienceMs = 250;
/** The time limit of a signer's readiness. */
const defaultSilenceMs = 1_000;

/**
 * Collect consent in two rounds, each sent to all signers at once. First every signer proposes its own attestation;
 * then the required number sign one that is at least as strict as each of theirs. A signer whose own terms are the
 * joint ones has signed already. A lying or silent signer costs the others at most the patience in both rounds together
 * while they agree, and at most the silence in each while they do not.
 */
export function signatureQuorum<Request, Attestation extends Marked>(
  form: ConsentForm<Request, Attestation>,
  options: QuorumOptions,
): AskPriceSigners<Request, Attestation> {
  const { signers, domain, patienceMs = defaultPatienceMs, silenceMs = defaultSilenceMs } = options;
  return async (request) => {
    const { able, requiredCount } = signers;
    if (requiredCount === null || able.length < requiredCount) return { kind: 'away' };
    const enough = Promise.withResolvers<void>();
    const patience = enough.promise.then(() => delay(patienceMs, null, { ref: false }));
    const round = { form, request, domain, requiredCount, patience, silenceMs };
    const proposals = await proposalsOf({ ...round, able, onEnough: enough.resolve });
    if ('kind' in proposals) return proposals;
    const consent = await jointConsentOf({ ...round, proposals });
    if (consent.kind === 'failed') throw consent.fault;
    return consent;
  };
}

interface Asked<Request, Attestation> extends Asking<Request, Attestation> {
  readonly able: readonly AbleSigner[];
  readonly requiredCount: number;
  /** Called when the remaining signers can no longer change the outcome; the patience starts then. */
  readonly onEnough: () => void;
  readonly patience: Promise<null>;
  readonly silenceMs: number;
}

/** Collect each signer's proposal; a refusal when those that refuse leave too few. */
async function proposalsOf<Request, Attestation>(
  asked: Asked<Request, Attestation>,
): Promise<readonly Proposal<Attestation>[] | AttestationRefusal> {
  const { able, requiredCount, onEnough, patience, silenceMs } = asked;
  const spareCount = able.length - requiredCount;
  const proposals: Proposal<Attestation>[] = [];
  const unsigned: Unsigned[] = [];
  const enoughAnswers = Promise.withResolvers<void>();
  const asking = able.map(async (signer) => {
    const answer = await proposalOf(signer, asked);
    if (answer.kind === 'proposed') proposals.push(answer);
    else unsigned.push(answer);
    if (proposals.length >= requiredCount || unsigned.length > spareCount) onEnough();
    if (proposals.length + unsigned.length >= requiredCount) enoughAnswers.resolve();
  });
  const silence = enoughAnswers.promise.then(() => delay(silenceMs, null, { ref: false }));
  await Promise.race([Promise.all(asking), patience, silence]);
  if (proposals.length >= requiredCount) return [...proposals];
  const isComplete = proposals.length + unsigned.length === able.length;
  return refusalOf(isComplete ? unsigned : [...unsigned, { kind: 'failed', fault: silenceFault() }], spareCount);
}

const silenceFault = () => signerFault('a price signer did not answer while the others decided');

/** Return the reason of a missing quorum. @throws Fault, retryable, when too few of them decided. */
function refusalOf(unsigned: readonly Unsigned[], spareCount: number): AttestationRefusal {
  const refusals = unsigned.filter((answer) => answer.kind === 'refused');
  const failure = unsigned.find((answer) => answer.kind === 'failed');
  // A transient refusal decides nothing while the lasting ones alone do not prevent a quorum.
  const lasting = refusals.filter(({ code }) => !isTransientRefusal(code));
  const refusal = lasting.length > spareCount ? lasting[0] : (refusals.find(isTransient) ?? refusals[0]);
  if (refusal !== undefined && (failure === undefined || refusals.length > spareCount)) return refusal;
  throw failure?.fault ?? new Error('a price signer neither signed, refused nor failed');
}

const isTransient = ({ code }: AttestationRefusal): boolean => isTransientRefusal(code);
