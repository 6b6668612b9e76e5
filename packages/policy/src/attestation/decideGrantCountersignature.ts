import type { MarketSnapshot } from '@core/market';
import { raw } from '@core/pricing';
import type { PolicyConfig } from '../config.ts';
import { policyDefaults } from '../defaults.ts';
import type { AttestationRefusalReason, AttestedPurpose } from './attestationTerms.ts';
import { type Compared, type DisagreementReason, disagreementOf } from './decideCountersignature.ts';
import { attestationRequestOf, decideGrant, type GrantRequest, type GrantTerms } from './decideGrant.ts';
import { jointTermsOf } from './jointTerms.ts';

/** Causes for which a co-signer does not sign a grant. */
export type GrantDisagreementReason = DisagreementReason | 'size_disagrees' | 'path_disagrees' | 'end_disagrees';

type Proposed = Omit<GrantTerms, 'kind'>;

export type GrantCountersignatureDecision =
  | { readonly kind: 'agreed' }
  | { readonly kind: 'refused'; readonly reason: AttestationRefusalReason | GrantDisagreementReason };

/**
 * Decide whether a co-signer signs the grant of another. Mark, limit, trigger, fee and exit buffer are compared as for
 * an order; size and seconds of the path are equal, and the end is no later than in its own view.
 */
export function decideGrantCountersignature(
  snapshot: MarketSnapshot,
  { request, proposed }: { readonly request: GrantRequest; readonly proposed: Proposed },
  config: PolicyConfig = policyDefaults,
): GrantCountersignatureDecision {
  const own = decideGrant(snapshot, request, config);
  if (own.kind === 'refused') return own;
  const attestationRequest = attestationRequestOf(snapshot, request);
  if (attestationRequest === null) return { kind: 'refused', reason: 'book_too_thin' };
  const compared = { snapshot, request: attestationRequest, proposed, own: { ...own, kind: 'attestation' } as const };
  const reason = grantDisagreementOf(proposed, own) ?? disagreementOf(compared, isWithinTick);
  return reason === null ? { kind: 'agreed' } : { kind: 'refused', reason };
}

function grantDisagreementOf(proposed: Proposed, own: Proposed): GrantDisagreementReason | null {
  if (proposed.mostUnits !== own.mostUnits) return 'size_disagrees';
  if (proposed.validForSeconds !== own.validForSeconds) return 'path_disagrees';
  return proposed.notAfterSeconds > own.notAfterSeconds ? 'end_disagrees' : null;
}

/** The own average gives the limit: it is a tick from the own limit. */
function isWithinTick({ snapshot, request, proposed, own }: Compared): boolean {
  const better = raw(proposed.limitPricePips) - raw(own.limitPricePips);
  return (request.purpose === 'open' ? -better : better) <= raw(snapshot.facts.tickPricePips);
}

/** Return the terms that are as careful as each of two grants of the same size and path; null for others. */
export function jointGrantTermsOf(purpose: AttestedPurpose, left: Proposed, right: Proposed): Proposed | null {
  if (left.mostUnits !== right.mostUnits || left.validForSeconds !== right.validForSeconds) return null;
  return {
    ...left,
    ...jointTermsOf(purpose, left, right),
    notAfterSeconds: Math.min(left.notAfterSeconds, right.notAfterSeconds),
  };
}
