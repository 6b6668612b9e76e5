import { randomHex } from '@core/runtime';

/** Type prefixes of the specification's ids, and of the service's own. The namespace prefix is added on the wire. */
export type IdPrefix = 'mkt' | 'pos' | 'off' | 'dro' | 'evt' | 'key' | 'ptn' | 'int';

/** Crockford's digits by the ones that numbers are written with in base 32. */
const crockford = new Map(
  Array.from('0123456789abcdefghjkmnpqrstvwxyz', (digit, index) => [index.toString(32).charCodeAt(0), digit]),
);

/** 128 bits as 26 characters of lower-case Crockford base 32, most significant first, so text order is number order. */
function suffixOf(bits: bigint): string {
  const digits = bits.toString(32);
  let suffix = '0'.repeat(26 - digits.length);
  for (let index = 0; index < digits.length; index += 1) suffix += crockford.get(digits.charCodeAt(index)) ?? '';
  return suffix;
}

/** A new sortable id: 48 bits of `nowMs`, then 80 random bits (UUID version 7 without its fixed bits). */
export function createId<Prefix extends IdPrefix>(prefix: Prefix, nowMs: number): `${Prefix}_${string}` {
  const random = BigInt(`0x${randomHex(10)}`);
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
