import { setTimeout as delay } from 'node:timers/promises';
import { isTransientRefusal } from '@core/attestation';
import { raw } from '@core/pricing';
import { attestationSignaturesOf, type PriceAttestation } from '@core/vault';
import type { Hex } from 'viem';
import type { ConsentForm, Marked } from './consentForm.ts';
import { type Asking, type Proposal, signatureOf, type Unsigned } from './signerAnswers.ts';

/** Consent of the price signers to an order, in the vault's form. */
export interface JointConsent<Attestation = PriceAttestation> {
  readonly kind: 'signed';
  readonly attestation: Attestation;
  /** As many as the vault requires, ascending by signer. */
  readonly signatures: Hex;
}

export interface Proposed<Request, Attestation> extends Asking<Request, Attestation> {
  readonly proposals: readonly Proposal<Attestation>[];
  readonly requiredCount: number;
  /** Time until which groups are asked one after the other; then all at once. */
  readonly patience: Promise<null>;
  /** Wait for the last groups after another has refused, in milliseconds. */
  readonly silenceMs: number;
}

/**
 * Return the consent of the first group that signs one attestation at least as strict as each of theirs. The group with
 * the closest marks is asked first, so that a lagging feed is excluded; a silent signer delays the others by the
 * patience at most. The choice of the group does not affect safety: each signer agrees from its own observation.
 */
export async function jointConsentOf<Request, Attestation extends Marked>(
  proposed: Proposed<Request, Attestation>,
): Promise<JointConsent<Attestation> | Unsigned> {
  const { proposals, requiredCount, patience, silenceMs } = proposed;
  const consentReady = Promise.withResolvers<JointConsent<Attestation>>();
  const firstRefusal = Promise.withResolvers<void>();
  const unsigned: Unsigned[] = [];
  const asking: Promise<JointConsent<Attestation> | null>[] = [];
  for (const group of choicesOf(proposals, requiredCount).toSorted(byDistance)) {
    const attestation = jointOf(group, proposed.form);
    if (attestation !== null) {
      const answering = signedByAll(proposed, { attestation, group }).then((answer) => {
        if (answer.kind === 'signed') {
          consentReady.resolve(answer);
          return answer;
        }
        unsigned.push(answer);
        firstRefusal.resolve();
        return null;
      });
      asking.push(answering);
      const consent = await Promise.race([consentReady.promise, answering, patience]);
      if (consent !== null) return consent;
    }
  }
  const silence = firstRefusal.promise.then(() => delay(silenceMs, null, { ref: false }));
  const consent = await Promise.race([consentReady.promise, Promise.all(asking).then(() => null), silence]);
  return consent ?? reasonOf(unsigned);
}

/** Return the reason of a refusal, transient ones first: a lying signer may give any reason. */
function reasonOf(unsigned: readonly Unsigned[]): Unsigned {
  const refusals = unsigned.filter((answer) => answer.kind === 'refused');
  const passing = refusals.find(({ code }) => isTransientRefusal(code));
  return passing ?? refusals[0] ?? unsigned[0] ?? { kind: 'refused', code: 'attestation_mismatch' };
}

/** Collect the signatures of a group, or the reason why one of it gave none. */
async function signedByAll<Request, Attestation>(
  { form, request, domain }: Proposed<Request, Attestation>,
  { attestation, group }: { readonly attestation: Attestation; readonly group: readonly Proposal<Attestation>[] },
): Promise<JointConsent<Attestation> | Unsigned> {
  const hash = form.hashOf(attestation, domain);
  const answers = await Promise.all(
    group.map(({ signer, hash: ownHash, signature }) =>
      signatureOf({ signer, hash: ownHash, signature }, { form, request, attestation, hash }),
    ),
  );
  const unsigned = answers.find((answer) => 'kind' in answer);
  if (unsigned !== undefined) return unsigned;
  const signatures = answers.filter((answer) => 'signature' in answer);
  return { kind: 'signed', attestation, signatures: attestationSignaturesOf(signatures) };
}

function jointOf<Request, Attestation>(
  group: readonly Proposal<Attestation>[],
  form: ConsentForm<Request, Attestation>,
): Attestation | null {
  const [first, ...rest] = group.map(({ attestation }) => attestation);
  let joint: Attestation | null = first ?? null;
  for (const attestation of rest) joint = joint === null ? null : form.jointOf(joint, attestation);
  return joint;
}

/** Order groups by the distance of their marks, the closest first. */
function byDistance(left: readonly Proposal<Marked>[], right: readonly Proposal<Marked>[]): number {
  return distanceOf(left) - distanceOf(right);
}

/** Return the pips between the highest and the lowest mark. */
function distanceOf(group: readonly Proposal<Marked>[]): number {
  const marks = group.map(({ attestation }) => Number(raw(attestation.markPips)));
  return Math.max(...marks) - Math.min(...marks);
}

/** Return every combination of `count` things, each in their order. */
export function choicesOf<Thing>(things: readonly Thing[], count: number): readonly (readonly Thing[])[] {
  if (count === 0) return [[]];
  return things.flatMap((thing, index) =>
    choicesOf(things.slice(index + 1), count - 1).map((rest): readonly Thing[] => [thing, ...rest]),
  );
}
