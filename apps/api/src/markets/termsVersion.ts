import { createHash } from 'node:crypto';
import { encodeDomainJson, type PartnerRecord } from '@core/store';

const known = new WeakMap<PartnerRecord, string>();

/** A partner's ID with what its terms say now: what was built under other terms is kept under another name. */
export function termsVersionOf(partner: PartnerRecord): string {
  const before = known.get(partner);
  if (before !== undefined) return before;
  const version = `${partner.id}:${createHash('sha1').update(encodeDomainJson(partner.terms)).digest('base64url')}`;
  known.set(partner, version);
  return version;
}
