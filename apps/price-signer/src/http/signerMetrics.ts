import type { AttestationRefusalCode, AttestedPurpose } from '@core/vault';
import { Counter, Registry } from 'prom-client';

/** What came of the requests for one kind of signature. */
export interface SignatureCounts {
  signed(purpose: AttestedPurpose): void;
  refused(purpose: AttestedPurpose, code: AttestationRefusalCode): void;
}

/** Counters of the signer, in the text form that Prometheus reads. */
export interface SignerMetrics {
  readonly registry: Registry;
  readonly attestations: SignatureCounts;
  readonly countersignatures: SignatureCounts;
}

export function signerMetrics(): SignerMetrics {
  const registry = new Registry();
  return {
    registry,
    attestations: countsOf(registry, { prefix: 'attestations', help: 'Price attestations' }),
    countersignatures: countsOf(registry, { prefix: 'countersignatures', help: 'Attestations of other signers' }),
  };
}

function countsOf(registry: Registry, { prefix, help }: { readonly prefix: string; readonly help: string }) {
  const registers = [registry];
  const signed = new Counter({
    name: `${prefix}_signed_total`,
    help: `${help} signed.`,
    labelNames: ['purpose'],
    registers,
  });
  const refused = new Counter({
    name: `${prefix}_refused_total`,
    help: `${help} refused, by reason.`,
    labelNames: ['purpose', 'code'],
    registers,
  });
  return {
    signed: (purpose) => signed.inc({ purpose }),
    refused: (purpose, code) => refused.inc({ purpose, code }),
  } satisfies SignatureCounts;
}
