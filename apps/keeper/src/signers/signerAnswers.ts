import type { AttestationRefusal } from '@core/attestation';
import { Fault } from '@core/errors';
import { type PriceAttestation, recoverPriceSigner, type SignerSignature, type VaultDomain } from '@core/vault';
import { type Hex, isAddressEqual } from 'viem';
import type { ConsentForm } from './consentForm.ts';
import type { PriceSigner, PriceSigners } from './priceSigners.ts';

export type AbleSigner = PriceSigners['able'][number];

/** Attestation that a signer proposes. */
export interface Proposal<Attestation = PriceAttestation> {
  readonly kind: 'proposed';
  readonly signer: AbleSigner;
  readonly attestation: Attestation;
  readonly hash: Hex;
  readonly signature: Hex;
}

interface Failed {
  readonly kind: 'failed';
  readonly fault: Fault;
}

/** Reason why a signer gave no signature. */
export type Unsigned = AttestationRefusal | Failed;

/** Request to the signers, in its form. */
export interface Asking<Request, Attestation> {
  readonly form: ConsentForm<Request, Attestation>;
  readonly request: Request;
  readonly domain: VaultDomain;
}

/** Ask a signer for its proposal, and check the signature against its key. */
export function proposalOf<Request, Attestation>(
  signer: AbleSigner,
  { form, request, domain }: Asking<Request, Attestation>,
): Promise<Proposal<Attestation> | Unsigned> {
  return answerOf(signer, async () => {
    const answer = await form.propose(signer.source, request);
    if (answer.kind === 'refused') return answer;
    const { attestation, signature } = answer;
    const hash = form.hashOf(attestation, domain);
    await checkKey(signer, { hash, signature });
    return { kind: 'proposed', signer, attestation, hash, signature };
  });
}

/** Return a signer's signature of an attestation; its own proposal needs no second request. */
export async function signatureOf<Request, Attestation>(
  { signer, ...own }: Pick<Proposal, 'signer' | 'hash' | 'signature'>,
  asked: Pick<Asking<Request, Attestation>, 'form' | 'request'> & {
    readonly attestation: Attestation;
    readonly hash: Hex;
  },
): Promise<SignerSignature | Unsigned> {
  const { form, request, attestation, hash } = asked;
  if (own.hash === hash) return { signer: signer.address, signature: own.signature };
  return answerOf(signer, async () => {
    const answer = await form.countersign(signer.source, { request, attestation });
    if (answer.kind === 'refused') return answer;
    await checkKey(signer, { hash, signature: answer.signature });
    return { signer: signer.address, signature: answer.signature };
  });
}

/**
 * Return the signer's answer. A signer without a decision counts as away until the next probe. An unusable answer is
 * the failure of its signer only.
 */
async function answerOf<Answer>(signer: PriceSigner, ask: () => Promise<Answer>): Promise<Answer | Failed> {
  return ask().catch((cause: unknown) => {
    signer.isAnswering = false;
    const fault =
      cause instanceof Fault ? cause : signerFault(`price signer ${signer.name} returned an invalid answer`, cause);
    return { kind: 'failed', fault };
  });
}

/** Check the key of a signature. @throws Fault when it is not the signer's: the vault would refuse it. */
async function checkKey(
  { name, address }: AbleSigner,
  { hash, signature }: { readonly hash: Hex; readonly signature: Hex },
): Promise<void> {
  const recovered = await recoverPriceSigner(hash, signature);
  if (recovered !== null && isAddressEqual(recovered, address)) return;
  throw signerFault(`price signer ${name} did not sign with ${address}`);
}

export function signerFault(message: string, cause: unknown = null): Fault {
  return new Fault({ origin: 'signer', kind: 'retryable', message, cause });
}
