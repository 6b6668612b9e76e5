import { Fault } from '@core/errors';
import {
  type AttestationRefusal,
  type AttestationRequest,
  hashPriceAttestation,
  type PriceAttestation,
  recoverPriceSigner,
  type SignerSignature,
  type VaultDomain,
} from '@core/vault';
import { type Hex, isAddressEqual } from 'viem';
import type { PriceSigner, PriceSigners } from './priceSigners.ts';

export type AbleSigner = PriceSigners['able'][number];

/** What a signer would sign of its own. */
export interface Proposal {
  readonly kind: 'proposed';
  readonly signer: AbleSigner;
  readonly attestation: PriceAttestation;
  readonly hash: Hex;
  readonly signature: Hex;
}

interface Failed {
  readonly kind: 'failed';
  readonly fault: Fault;
}

/** Why a signer gave no signature. */
export type Unsigned = AttestationRefusal | Failed;

/** What a signer would sign of its own, with the key it says it has. */
export function proposalOf(
  signer: AbleSigner,
  { request, domain }: { readonly request: AttestationRequest; readonly domain: VaultDomain },
): Promise<Proposal | Unsigned> {
  return answerOf(signer, async () => {
    const answer = await signer.source.attest(request);
    if (answer.kind === 'refused') return answer;
    const { attestation, signature } = answer;
    const hash = hashPriceAttestation(attestation, domain);
    await checkKey(signer, { hash, signature });
    return { kind: 'proposed', signer, attestation, hash, signature };
  });
}

/** A signer's signature under an attestation; it is not asked again for the one that it proposed. */
export async function signatureOf(
  { signer, ...own }: Pick<Proposal, 'signer' | 'hash' | 'signature'>,
  asked: { readonly request: AttestationRequest; readonly attestation: PriceAttestation; readonly hash: Hex },
): Promise<SignerSignature | Unsigned> {
  const { request, attestation, hash } = asked;
  if (own.hash === hash) return { signer: signer.address, signature: own.signature };
  return answerOf(signer, async () => {
    const answer = await signer.source.countersign({ request, attestation });
    if (answer.kind === 'refused') return answer;
    await checkKey(signer, { hash, signature: answer.signature });
    return { signer: signer.address, signature: answer.signature };
  });
}

/** The signer's answer; one that did not decide counts as away until the next probe. */
async function answerOf<Answer>(signer: PriceSigner, ask: () => Promise<Answer>): Promise<Answer | Failed> {
  return ask().catch((fault: unknown) => {
    if (!(fault instanceof Fault)) throw fault;
    signer.isAnswering = false;
    return { kind: 'failed', fault };
  });
}

/** @throws Fault when the signature is not of the key that the signer says it has: the vault would refuse it. */
async function checkKey(
  { name, address }: AbleSigner,
  { hash, signature }: { readonly hash: Hex; readonly signature: Hex },
): Promise<void> {
  const recovered = await recoverPriceSigner(hash, signature);
  if (recovered !== null && isAddressEqual(recovered, address)) return;
  throw signerFault(`price signer ${name} did not sign with ${address}`);
}

export function signerFault(message: string): Fault {
  return new Fault({ origin: 'signer', kind: 'retryable', message });
}
