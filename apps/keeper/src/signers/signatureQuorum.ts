import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '@core/errors';
import { raw } from '@core/pricing';
import {
  type AttestationRefusal,
  type AttestationRequest,
  attestationSignaturesOf,
  hashPriceAttestation,
  isPassingRefusal,
  jointAttestationOf,
  type PriceAttestation,
  recoverPriceSigner,
  type SignerSignature,
  type VaultDomain,
} from '@core/vault';
import { type Hex, isAddressEqual } from 'viem';
import { choicesOf } from './choicesOf.ts';
import type { PriceSigner, PriceSigners } from './priceSigners.ts';

/** The price signers' consent to an order, as the vault takes it. */
export interface JointConsent {
  readonly kind: 'signed';
  readonly attestation: PriceAttestation;
  /** As many as the vault asks for, ascending by signer. */
  readonly signatures: Hex;
}

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
  /** How long the others are waited for once enough have signed, in milliseconds. */
  readonly patienceMs?: number;
}

const usualPatienceMs = 250;

type AbleSigner = PriceSigners['able'][number];

/** What a signer would sign of its own. */
interface Proposal {
  readonly kind: 'proposed';
  readonly signer: AbleSigner;
  readonly attestation: PriceAttestation;
  readonly hash: Hex;
  readonly signature: Hex;
}

/**
 * Two rounds, each asked of all at once. First every signer says what it would sign of its own; then as many as the
 * vault asks for sign one attestation, as careful as each of theirs. The group whose marks are closest is asked first,
 * so that a feed that is behind, or a signer that lies, is left aside as soon as enough others agree. A signer whose
 * own terms are the joint ones has signed already.
 */
export function signatureQuorum(options: QuorumOptions): AskPriceSigners {
  const { signers } = options;
  return async (request) => {
    const { able, requiredCount } = signers;
    if (requiredCount === null || able.length < requiredCount) return { kind: 'away' };
    const proposals = await proposalsOf(options, { request, able, requiredCount });
    if ('kind' in proposals) return proposals;
    let unsigned: Unsigned = { kind: 'refused', code: 'attestation_mismatch' };
    for (const group of choicesOf(proposals, requiredCount).toSorted(byDistance)) {
      const attestation = jointOf(group);
      if (attestation !== null) {
        const signed = await signedByAll(options, { request, attestation, group });
        if (!('kind' in signed)) return { kind: 'signed', attestation, signatures: attestationSignaturesOf(signed) };
        unsigned = signed;
      }
    }
    if (unsigned.kind === 'failed') throw unsigned.fault;
    return unsigned;
  };
}

type Unsigned = AttestationRefusal | { readonly kind: 'failed'; readonly fault: Fault };

/** What each signer would sign of its own; a refusal when those that refuse leave too few. */
async function proposalsOf(
  options: QuorumOptions,
  asked: {
    readonly request: AttestationRequest;
    readonly able: readonly AbleSigner[];
    readonly requiredCount: number;
  },
): Promise<readonly Proposal[] | AttestationRefusal> {
  const { request, able, requiredCount } = asked;
  const proposals: Proposal[] = [];
  const unsigned: Unsigned[] = [];
  const enough = Promise.withResolvers<void>();
  const asking = able.map(async (signer) => {
    const answer = await answerOf(signer, () => proposalOf(options, { signer, request }));
    if (answer.kind === 'proposed') proposals.push(answer);
    else unsigned.push(answer);
    if (proposals.length >= requiredCount) enough.resolve();
  });
  const patience = enough.promise.then(() => delay(options.patienceMs ?? usualPatienceMs, null, { ref: false }));
  await Promise.race([Promise.all(asking), patience]);
  if (proposals.length >= requiredCount) return [...proposals];
  const refusals = unsigned.filter((answer) => answer.kind === 'refused');
  const failure = unsigned.find((answer) => answer.kind === 'failed');
  const spareCount = able.length - requiredCount;
  // What a moment may change decides nothing while the others alone do not prevent a quorum.
  const lasting = refusals.filter(({ code }) => !isPassingRefusal(code));
  const refusal = lasting.length > spareCount ? lasting[0] : (refusals.find(isPassing) ?? refusals[0]);
  if (refusal !== undefined && (failure === undefined || refusals.length > spareCount)) return refusal;
  throw failure?.fault ?? new Error('a price signer neither signed, refused nor failed');
}

const isPassing = ({ code }: AttestationRefusal): boolean => isPassingRefusal(code);

/** The signer's answer; one that did not decide counts as away until the next probe. */
async function answerOf<Answer>(signer: PriceSigner, ask: () => Promise<Answer>): Promise<Answer | Failed> {
  return ask().catch((fault: unknown) => {
    if (!(fault instanceof Fault)) throw fault;
    signer.isAnswering = false;
    return { kind: 'failed', fault };
  });
}

type Failed = Extract<Unsigned, { readonly kind: 'failed' }>;

async function proposalOf(
  { domain }: QuorumOptions,
  { signer, request }: { readonly signer: AbleSigner; readonly request: AttestationRequest },
): Promise<Proposal | AttestationRefusal> {
  const answer = await signer.source.attest(request);
  if (answer.kind === 'refused') return answer;
  const { attestation, signature } = answer;
  const hash = hashPriceAttestation(attestation, domain);
  await checkKey(signer, { hash, signature });
  return { kind: 'proposed', signer, attestation, hash, signature };
}

/** @throws Fault when the signature is not of the key that the signer says it has: the vault would refuse it. */
async function checkKey(
  { name, address }: AbleSigner,
  { hash, signature }: { readonly hash: Hex; readonly signature: Hex },
): Promise<void> {
  const recovered = await recoverPriceSigner(hash, signature);
  if (recovered !== null && isAddressEqual(recovered, address)) return;
  const message = `price signer ${name} did not sign with ${address}`;
  throw new Fault({ origin: 'signer', kind: 'retryable', message });
}

interface Group {
  readonly request: AttestationRequest;
  readonly attestation: PriceAttestation;
  readonly group: readonly Proposal[];
}

/** The signatures of a whole group, or why one of it gave none. */
async function signedByAll(
  { domain }: QuorumOptions,
  { request, attestation, group }: Group,
): Promise<readonly SignerSignature[] | Unsigned> {
  const hash = hashPriceAttestation(attestation, domain);
  const answers = await Promise.all(
    group.map(async (own): Promise<SignerSignature | Unsigned> => {
      const { signer } = own;
      if (own.hash === hash) {
        return { signer: signer.address, signature: own.signature };
      }
      return answerOf(signer, async () => {
        const answer = await signer.source.countersign({ request, attestation });
        if (answer.kind === 'refused') return answer;
        await checkKey(signer, { hash, signature: answer.signature });
        return { signer: signer.address, signature: answer.signature };
      });
    }),
  );
  return answers.find((answer) => 'kind' in answer) ?? answers.filter((answer) => 'signature' in answer);
}

function jointOf(group: readonly Proposal[]): PriceAttestation | null {
  const [first, ...rest] = group.map(({ attestation }) => attestation);
  let joint: PriceAttestation | null = first ?? null;
  for (const attestation of rest) joint = joint === null ? null : jointAttestationOf(joint, attestation);
  return joint;
}

/** Groups whose marks are closest come first. */
function byDistance(left: readonly Proposal[], right: readonly Proposal[]): number {
  return distanceOf(left) - distanceOf(right);
}

/** Pips between the highest and the lowest mark. */
function distanceOf(group: readonly Proposal[]): number {
  const marks = group.map(({ attestation }) => Number(raw(attestation.markPips)));
  return Math.max(...marks) - Math.min(...marks);
}
