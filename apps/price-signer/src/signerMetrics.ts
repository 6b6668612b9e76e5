import { Counter, Registry } from 'prom-client';

/** Counters of the signer, in the text form that Prometheus reads. */
export interface SignerMetrics {
  readonly registry: Registry;
  signed(purpose: string): void;
  refused(purpose: string, code: string): void;
}

export function signerMetrics(): SignerMetrics {
  const registry = new Registry();
  const signed = new Counter({
    name: 'attestations_signed_total',
    help: 'Price attestations signed.',
    labelNames: ['purpose'],
    registers: [registry],
  });
  const refused = new Counter({
    name: 'attestations_refused_total',
    help: 'Price attestations refused, by reason.',
    labelNames: ['purpose', 'code'],
    registers: [registry],
  });
  return {
    registry,
    signed: (purpose) => signed.inc({ purpose }),
    refused: (purpose, code) => refused.inc({ purpose, code }),
  };
}
