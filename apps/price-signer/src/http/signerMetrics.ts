import type { AttestationRefusalCode, AttestedPurpose } from '@core/attestation';
import { type SharedMetrics, sharedMetrics } from '@core/runtime';
import { Counter, Gauge, Registry } from 'prom-client';

/** Outcome counters of one kind of signature. */
export interface SignatureCounts {
  signed(purpose: AttestedPurpose): void;
  refused(purpose: AttestedPurpose, code: AttestationRefusalCode): void;
}

/** Counters of the signer, in the text form that Prometheus reads. */
export interface SignerMetrics {
  readonly registry: Registry;
  readonly shared: SharedMetrics;
  /** Register gauges that are read at each scrape. */
  watch(figures: { readonly chainAgeMs: () => number; readonly headAgeMs: () => number | null }): void;
  readonly attestations: SignatureCounts;
  readonly countersignatures: SignatureCounts;
}

export function signerMetrics(): SignerMetrics {
  const registry = new Registry();
  return {
    registry,
    shared: sharedMetrics(registry),
    watch: ({ chainAgeMs, headAgeMs }) => {
      const age: Gauge = new Gauge({
        name: 'price_signer_chain_age_seconds',
        help: 'Time since a node last answered this price signer: above 10 it attests nothing.',
        registers: [registry],
        collect: () => age.set(chainAgeMs() / 1_000),
      });
      const head: Gauge = new Gauge({
        name: 'price_signer_head_age_seconds',
        help: 'Age of the last block on the service clock, no number before the first: not ready when too old.',
        registers: [registry],
        collect: () => head.set((headAgeMs() ?? Number.NaN) / 1_000),
      });
    },
    attestations: countsOf(registry, { prefix: 'attestations', help: 'Price attestations' }),
    countersignatures: countsOf(registry, { prefix: 'countersignatures', help: 'Attestations of other signers' }),
  };
}

function countsOf(registry: Registry, { prefix, help }: { readonly prefix: string; readonly help: string }) {
  const registers = [registry];
  const signedCounter = new Counter({
    name: `${prefix}_signed_total`,
    help: `${help} signed.`,
    labelNames: ['purpose'],
    registers,
  });
  const refusedCounter = new Counter({
    name: `${prefix}_refused_total`,
    help: `${help} refused, by reason.`,
    labelNames: ['purpose', 'code'],
    registers,
  });
  return {
    signed: (purpose) => signedCounter.inc({ purpose }),
    refused: (purpose, code) => refusedCounter.inc({ purpose, code }),
  } satisfies SignatureCounts;
}
