import {
  type AttestationRefusal,
  type AttestationRequest,
  type AttestationSource,
  type CountersignatureAnswer,
  type GrantBatchRequest,
  type GrantRequest,
  jointAttestationOf,
  jointGrantBatchOf,
  jointGrantOf,
} from '@core/attestation';
import type { PricePips } from '@core/pricing';
import {
  type GrantAttestation,
  type GrantBatch,
  hashGrantAttestation,
  hashGrantBatch,
  hashPriceAttestation,
  type PriceAttestation,
  type VaultDomain,
} from '@core/vault';
import type { Hex } from 'viem';

/** Form of a consent: the requests to a signer, and the attestation that the vault takes. */
export interface ConsentForm<Request, Attestation> {
  readonly propose: (
    source: AttestationSource,
    request: Request,
  ) => Promise<
    { readonly kind: 'signed'; readonly attestation: Attestation; readonly signature: Hex } | AttestationRefusal
  >;
  readonly countersign: (
    source: AttestationSource,
    asked: { readonly request: Request; readonly attestation: Attestation },
  ) => Promise<CountersignatureAnswer>;
  readonly hashOf: (attestation: Attestation, domain: VaultDomain) => Hex;
  /** Attestation as strict as each of two; null for different orders. */
  readonly jointOf: (left: Attestation, right: Attestation) => Attestation | null;
}

/** Attestation of either route, as far as groups are ordered by it. */
export interface Marked {
  readonly markPips: PricePips;
}

/** Consent to an order at the venue. */
export const orderConsent: ConsentForm<AttestationRequest, PriceAttestation> = {
  propose: (source, request) => source.attest(request),
  countersign: (source, asked) => source.countersign(asked),
  hashOf: hashPriceAttestation,
  jointOf: jointAttestationOf,
};

/** Consent to a grant. */
export const grantConsent: ConsentForm<GrantRequest, GrantAttestation> = {
  propose: (source, request) => source.grant(request),
  countersign: (source, asked) => source.countersignGrant(asked),
  hashOf: hashGrantAttestation,
  jointOf: jointGrantOf,
};

/** Consent to the grants of several sales of one token. */
export const grantBatchConsent: ConsentForm<GrantBatchRequest, GrantBatch> = {
  async propose(source, request) {
    const answer = await source.grantBatch(request);
    return answer.kind === 'refused' ? answer : { ...answer, attestation: answer.batch };
  },
  countersign: (source, { request, attestation }) => source.countersignGrantBatch({ request, batch: attestation }),
  hashOf: hashGrantBatch,
  jointOf: jointGrantBatchOf,
};
