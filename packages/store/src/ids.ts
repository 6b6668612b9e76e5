import { randomBytes } from 'node:crypto';

/** Type prefixes of the specification's ids, and of the service's own. The namespace prefix is added on the wire. */
export type IdPrefix = 'mkt' | 'pos' | 'off' | 'dro' | 'evt' | 'key' | 'ptn' | 'int';

const crockford = '0123456789abcdefghjkmnpqrstvwxyz';

/** 128 bits as 26 characters of lower-case Crockford base 32, most significant first, so text order is number order. */
function suffixOf(bits: bigint): string {
  let rest = bits;
  let suffix = '';
  for (let index = 0; index < 26; index += 1) {
    suffix = `${crockford[Number(rest & 31n)] ?? ''}${suffix}`;
    rest >>= 5n;
  }
  return suffix;
}

/** A new sortable id: 48 bits of `nowMs`, then 80 random bits (UUID version 7 without its fixed bits). */
export function createId<Prefix extends IdPrefix>(prefix: Prefix, nowMs: number): `${Prefix}_${string}` {
  const random = BigInt(`0x${randomBytes(10).toString('hex')}`);
  return `${prefix}_${suffixOf((BigInt(Math.floor(nowMs)) << 80n) | random)}`;
}

/** The same id for the same key, for ever: the first 128 bits of the hash that is the key (0x and 64 hex digits). */
export function positionIdOf(positionKey: string): `pos_${string}` {
  return `pos_${suffixOf(BigInt(positionKey.slice(0, 34)))}`;
}

/** The id of a fact that must be written once however often it is derived: 128 bits of its own hash, as hex. */
export function eventIdOf(hashHex: string): `evt_${string}` {
  return `evt_${suffixOf(BigInt(`0x${hashHex.replace(/^0x/, '').slice(0, 32)}`))}`;
}
