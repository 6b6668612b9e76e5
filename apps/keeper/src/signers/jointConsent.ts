import { setTimeout as delay } from 'node:timers/promises';
import { raw } from '@core/pricing';
import {
  type AttestationRequest,
  attestationSignaturesOf,
  hashPriceAttestation,
  isPassingRefusal,
  jointAttestationOf,
  type PriceAttestation,
  type VaultDomain,
} from '@core/vault';
import type { Hex } from 'viem';
import { choicesOf } from './choicesOf.ts';
import { type Proposal, signatureOf, type Unsigned } from './signerAnswers.ts';

/** The price signers' consent to an order, as the vault takes it. */
export interface JointConsent {
  readonly kind: 'signed';
  readonly attestation: PriceAttestation;
  /** As many as the vault asks for, ascending by signer. */
  readonly signatures: Hex;
}

export interface Proposed {
  readonly request: AttestationRequest;
  readonly domain: VaultDomain;
  readonly proposals: readonly Proposal[];
  readonly requiredCount: number;
  /** Until then one group is asked after the other, from then on all at once. */
  readonly patience: Promise<null>;
  /** How long the last groups are waited for once another has said why it does not sign, in milliseconds. */
  readonly silenceMs: number;
}

/**
 * The first group that signs one attestation as careful as each of theirs. The group whose marks are closest is asked
 * first, so that a feed that is behind is left aside; one that keeps its signature to itself delays the others by the
 * patience and no more. Which group it is makes no difference to safety: each signer has agreed from what it sees.
 */
export async function jointConsentOf(proposed: Proposed): Promise<JointConsent | Unsigned> {
  const { proposals, requiredCount, patience, silenceMs } = proposed;
  const signed = Promise.withResolvers<JointConsent>();
  const refused = Promise.withResolvers<void>();
  const unsigned: Unsigned[] = [];
  const asking: Promise<JointConsent | null>[] = [];
  for (const group of choicesOf(proposals, requiredCount).toSorted(byDistance)) {
    const attestation = jointOf(group);
    if (attestation !== null) {
      const asked = signedByAll(proposed, { attestation, group }).then((answer) => {
        if (answer.kind === 'signed') {
          signed.resolve(answer);
          return answer;
        }
        unsigned.push(answer);
        refused.resolve();
        return null;
      });
      asking.push(asked);
      const consent = await Promise.race([signed.promise, asked, patience]);
      if (consent !== null) return consent;
    }
  }
  const silence = refused.promise.then(() => delay(silenceMs, null, { ref: false }));
  const consent = await Promise.race([signed.promise, Promise.all(asking).then(() => null), silence]);
  return consent ?? reasonOf(unsigned);
}

/** What a moment may change comes first: who lies may give any reason. */
function reasonOf(unsigned: readonly Unsigned[]): Unsigned {
  const refusals = unsigned.filter((answer) => answer.kind === 'refused');
  const passing = refusals.find(({ code }) => isPassingRefusal(code));
  return passing ?? refusals[0] ?? unsigned[0] ?? { kind: 'refused', code: 'attestation_mismatch' };
}

/** The signatures of a whole group, or why one of it gave none. */
async function signedByAll(
  { request, domain }: Proposed,
  { attestation, group }: { readonly attestation: PriceAttestation; readonly group: readonly Proposal[] },
): Promise<JointConsent | Unsigned> {
  const hash = hashPriceAttestation(attestation, domain);
  const answers = await Promise.all(group.map((own) => signatureOf(own, { request, attestation, hash })));
  const unsigned = answers.find((answer) => 'kind' in answer);
  if (unsigned !== undefined) return unsigned;
  const signed = answers.filter((answer) => 'signature' in answer);
  return { kind: 'signed', attestation, signatures: attestationSignaturesOf(signed) };
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
