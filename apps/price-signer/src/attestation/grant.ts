import {
  type CountersignatureAnswer,
  type GrantAnswer,
  type GrantCountersignatureRequest,
  type GrantRequest,
  grantTermsOf,
} from '@core/attestation';
import { decideGrant, decideGrantCountersignature } from '@core/policy';
import { type GrantAttestation, signGrantAttestation } from '@core/vault';
import { attestationOf } from './attest.ts';
import { mismatchOf } from './countersign.ts';
import { type AttestorDependencies, observeGrant, refused } from './observeRequest.ts';
import { timeRefusalOf } from './timeRefusal.ts';

/** Attest a grant: observe, ask the policy, sign. */
export async function grant(dependencies: AttestorDependencies, request: GrantRequest): Promise<GrantAnswer> {
  const observed = await observeGrant(dependencies, request);
  if (observed.kind === 'refused') return observed;
  const { position, snapshot, decision, config } = observed;
  const terms = decideGrant(snapshot, decision, config);
  if (terms.kind === 'refused') return refused(terms.reason);
  const attestation: GrantAttestation = {
    ...attestationOf(observed, terms),
    positionKey: request.positionKey,
    mostUnits: terms.mostUnits,
    validFor: terms.validForSeconds,
    notAfter: BigInt(terms.notAfterSeconds),
  };
  const refusal = timeRefusalOf(attestation.observedAt, observed, BigInt(config.grant.maxAgeSeconds));
  if (refusal !== null) return refused(refusal);
  dependencies.grants.record(request.positionKey, position);
  const domain = { chainId: dependencies.chainId, vault: dependencies.contracts.vault };
  return { kind: 'signed', attestation, ...(await signGrantAttestation(dependencies.key, attestation, domain)) };
}

/** Sign the grant of another signer, under every one of the own rules. */
export async function countersignGrant(
  dependencies: AttestorDependencies,
  countersignature: GrantCountersignatureRequest,
): Promise<CountersignatureAnswer> {
  const { request, attestation } = countersignature;
  const observed = await observeGrant(dependencies, request);
  if (observed.kind === 'refused') return observed;
  const { position, snapshot, decision, config } = observed;
  const oldestSeconds = BigInt(config.grant.maxAgeSeconds);
  const refusal =
    (attestation.positionKey === request.positionKey ? null : 'attestation_mismatch') ??
    mismatchOf(position, countersignature) ??
    timeRefusalOf(attestation.observedAt, observed, oldestSeconds);
  if (refusal !== null) return refused(refusal);
  const decided = decideGrantCountersignature(
    snapshot,
    { request: decision, proposed: grantTermsOf(attestation) },
    config,
  );
  if (decided.kind === 'refused') return refused(decided.reason);
  dependencies.grants.record(request.positionKey, position);
  const domain = { chainId: dependencies.chainId, vault: dependencies.contracts.vault };
  const { signature } = await signGrantAttestation(dependencies.key, attestation, domain);
  return { kind: 'signed', signature };
}
