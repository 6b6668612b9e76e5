import { rateBps } from '@core/pricing';
import type { GrantAttestation, GrantBatch, GrantMember } from '@core/vault';
import { jointGrantOf } from './jointGrant.ts';

/** Exit buffer of a sale: the vault reads that of openings alone. */
const noExitBuffer = rateBps(0n);

/** Return the consent to one member as that of a grant of its own; the vault binds it as such. */
export function memberGrantOf(batch: Omit<GrantBatch, 'members'>, member: GrantMember): GrantAttestation {
  const { marketId, tokenId, purpose, markPips, observedAt, validFor, notAfter } = batch;
  const shared = { marketId, tokenId, purpose, markPips, observedAt, validFor, notAfter };
  return { ...shared, ...member, exitBufferBps: noExitBuffer };
}

/**
 * Combine two batches of one token into one of the members that both have, each as strict as in both, and as old as the
 * older one. The order is that of the first batch.
 *
 * @returns null where they have no member in common, and for another token, purpose or path. A member with another size
 * is none in common.
 */
export function jointGrantBatchOf(left: GrantBatch, right: GrantBatch): GrantBatch | null {
  const others = new Map(right.members.map((member) => [member.positionKey, memberGrantOf(right, member)]));
  const joint = left.members.flatMap((member) => {
    const other = others.get(member.positionKey);
    const grant = other && jointGrantOf(memberGrantOf(left, member), other);
    return grant ? [grant] : [];
  });
  const [first] = joint;
  if (first === undefined) return null;
  const { markPips, observedAt, notAfter } = first;
  return { ...left, markPips, observedAt, notAfter, members: joint.map(memberOf) };
}

const memberOf = ({ positionKey, mostUnits, limitPips, triggerPips, venueFeeBps }: GrantAttestation): GrantMember => ({
  positionKey,
  mostUnits,
  limitPips,
  triggerPips,
  venueFeeBps,
});
