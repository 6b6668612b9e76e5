import { setTimeout as delay } from 'node:timers/promises';
import { type AttestationRefusal, type AttestationRequest, isPassingRefusal, type VaultDomain } from '@core/vault';
import { type JointConsent, jointConsentOf } from './jointConsent.ts';
import type { PriceSigners } from './priceSigners.ts';
import { type AbleSigner, type Proposal, proposalOf, signerFault, type Unsigned } from './signerAnswers.ts';

export type QuorumAnswer =
  | JointConsent
  | AttestationRefusal
  /** Too few price signers answer: nothing was asked. */
  | { readonly kind: 'away' };

/** Asks the price signers for their consent. @throws Fault, retryable, when too few of them decided anything. */
export type AskPriceSigners = (request: AttestationRequest) => Promise<QuorumAnswer>;

export interface QuorumOptions {
  readonly signers: Pick<PriceSigners, 'able' | 'requiredCount' | 'isQuorate'>;
  readonly domain: VaultDomain;
  /** How long the others are waited for once enough have proposed, in milliseconds. */
  readonly patienceMs?: number;
  /** How long one that says nothing is waited for, once enough others have answered without a quorum. */
  readonly silenceMs?: number;
}

const usualPatienceMs = 250;
/** As long as a signer has to say that it is there at all. */
const usualSilenceMs = 1_000;

/**
 * Two rounds, each asked of all at once. First every signer says what it would sign of its own; then as many as the
 * vault asks for sign one attestation, as careful as each of theirs. A signer whose own terms are the joint ones has
 * signed already. One that lies, or says nothing, costs the others no more than the patience in both rounds together
 * while they agree, and while they do not, no more than the silence in each before they are asked again.
 */
export function signatureQuorum(options: QuorumOptions): AskPriceSigners {
  const { signers, domain, patienceMs = usualPatienceMs, silenceMs = usualSilenceMs } = options;
  return async (request) => {
    const { able, requiredCount } = signers;
    if (requiredCount === null || able.length < requiredCount) return { kind: 'away' };
    const enough = Promise.withResolvers<void>();
    const patience = enough.promise.then(() => delay(patienceMs, null, { ref: false }));
    const asked = { request, domain, requiredCount, patience, silenceMs };
    const proposals = await proposalsOf({ ...asked, able, onEnough: enough.resolve });
    if ('kind' in proposals) return proposals;
    const consent = await jointConsentOf({ ...asked, proposals });
    if (consent.kind === 'failed') throw consent.fault;
    return consent;
  };
}

interface Asked {
  readonly request: AttestationRequest;
  readonly domain: VaultDomain;
  readonly able: readonly AbleSigner[];
  readonly requiredCount: number;
  /** Called once the others cannot change that there is a quorum, or that there is none; the patience starts then. */
  readonly onEnough: () => void;
  readonly patience: Promise<null>;
  readonly silenceMs: number;
}

/** What each signer would sign of its own; a refusal when those that refuse leave too few. */
async function proposalsOf(asked: Asked): Promise<readonly Proposal[] | AttestationRefusal> {
  const { able, requiredCount, onEnough, patience, silenceMs } = asked;
  const spareCount = able.length - requiredCount;
  const proposals: Proposal[] = [];
  const unsigned: Unsigned[] = [];
  const answered = Promise.withResolvers<void>();
  const asking = able.map(async (signer) => {
    const answer = await proposalOf(signer, asked);
    if (answer.kind === 'proposed') proposals.push(answer);
    else unsigned.push(answer);
    if (proposals.length >= requiredCount || unsigned.length > spareCount) onEnough();
    if (proposals.length + unsigned.length >= requiredCount) answered.resolve();
  });
  const silence = answered.promise.then(() => delay(silenceMs, null, { ref: false }));
  await Promise.race([Promise.all(asking), patience, silence]);
  if (proposals.length >= requiredCount) return [...proposals];
  const isComplete = proposals.length + unsigned.length === able.length;
  return refusalOf(isComplete ? unsigned : [...unsigned, { kind: 'failed', fault: silenceFault() }], spareCount);
}

const silenceFault = () => signerFault('a price signer said nothing while the others decided');

/** Why there is no quorum. @throws Fault, retryable, when too few of them decided anything. */
function refusalOf(unsigned: readonly Unsigned[], spareCount: number): AttestationRefusal {
  const refusals = unsigned.filter((answer) => answer.kind === 'refused');
  const failure = unsigned.find((answer) => answer.kind === 'failed');
  // What a moment may change decides nothing while the others alone do not prevent a quorum.
  const lasting = refusals.filter(({ code }) => !isPassingRefusal(code));
  const refusal = lasting.length > spareCount ? lasting[0] : (refusals.find(isPassing) ?? refusals[0]);
  if (refusal !== undefined && (failure === undefined || refusals.length > spareCount)) return refusal;
  throw failure?.fault ?? new Error('a price signer neither signed, refused nor failed');
}

const isPassing = ({ code }: AttestationRefusal): boolean => isPassingRefusal(code);
