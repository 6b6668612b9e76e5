import ipaddr from 'ipaddr.js';

/** Bytes of an IPv6 address that name the network of one client: a provider hands out /64 or larger. */
const networkBytes = 8;

/**
 * Name an address counts under wherever something is limited per address: IPv4 as a whole, also when it is mapped into
 * IPv6, and IPv6 by its /64. Text that is no address counts as it stands.
 */
export function addressKeyOf(address: string): string {
  const text = address.replace(/%.*$/, '');
  if (!ipaddr.isValid(text)) return address;
  const parsed = ipaddr.process(text);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const bytes = parsed.toByteArray().slice(0, networkBytes);
  return `${Buffer.from(bytes).toString('hex')}/64`;
}
