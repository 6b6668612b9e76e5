import { createHash } from 'node:crypto';
import { encodeDomainJson, type PartnerRecord } from '@core/store';

const versions = new WeakMap<PartnerRecord, string>();

/** Return the partner's ID with a hash of its present terms. It is the cache key of views built under these terms. */
export function termsVersionOf(partner: PartnerRecord): string {
  const before = versions.get(partner);
  if (before !== undefined) return before;
  const version = `${partner.id}:${createHash('sha1').update(encodeDomainJson(partner.terms)).digest('base64url')}`;
  versions.set(partner, version);
  return version;
}
