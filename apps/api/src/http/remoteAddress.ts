import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6 } from 'node:net';
import type { Application } from 'express';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Bytes of an IPv6 address that name the network of one client: a provider hands out /64 or larger. */
const networkBytes = 8;

/** Longest text that is read as an address: 45 characters, and room for zone, port, brackets and quotes. */
const longestText = 128;
const quotedForm = /^"(.*)"$/;
// A port is digits, or a name that RFC 7239 allows in their place.
const bracketedForm = /^\[(.*)\](?::(?:\d{1,5}|_[\w.-]+))?$/;
/** IPv4, also at the end of IPv6: a colon behind it begins a port. */
const dottedForm = /^(.*\.\d{1,3}):(?:\d{1,5}|_[\w.-]+)$/;

/**
 * Read an address in any spelling of proxies: IPv4 or IPv6, with or without port, brackets, quotes and zone.
 * @returns The address alone, and IPv4 where IPv6 carries it; null for any other text, such as octets with leading
 * zeros.
 */
function addressIn(text: string): Address | null {
  const trimmed = text.trim();
  if (trimmed.length > longestText) return null;
  const node = (quotedForm.exec(trimmed)?.[1] ?? trimmed).trim();
  const bracketed = bracketedForm.exec(node)?.[1];
  if (bracketed !== undefined && !isIPv6(bracketed)) return null;
  const address = bracketed ?? dottedForm.exec(node)?.[1] ?? node;
  // The parser alone would also read octal, hexadecimal and shortened IPv4, which no proxy writes.
  return isIP(address) === 0 ? null : ipaddr.process(address.replace(/%.*$/, ''));
}

/** Return the subject of limits that an address belongs to: IPv4 as a whole, IPv6 by its /64. */
function subjectOf(address: Address): string {
  if (address.kind() === 'ipv4') return address.toString();
  return `${Buffer.from(address.toByteArray().slice(0, networkBytes)).toString('hex')}/64`;
}

/** Address of a connection, and its subject wherever something is limited per address. */
export interface Peer {
  readonly address: string;
  readonly subject: string;
}

/** The same for a connection that was closed: the system does not know its address any more. */
const closedPeer: Peer = { address: 'unknown', subject: 'unknown' };

/** Return the other end of a connection. */
export function peerOf({ remoteAddress = '' }: Pick<IncomingMessage['socket'], 'remoteAddress'>): Peer {
  const address = addressIn(remoteAddress);
  return address === null ? closedPeer : { address: address.toString(), subject: subjectOf(address) };
}

/** Connection and headers of a request. */
interface Forwarded extends Pick<IncomingMessage, 'headers'> {
  readonly socket: Pick<IncomingMessage['socket'], 'remoteAddress'>;
}

/**
 * Return the subject of the limits of a request: the caller's address, as the proxies name it that are trusted. An
 * entry of `X-Forwarded-For` that is no address leaves the request to the proxy that wrote it.
 */
export function subjectBehind({ socket, headers }: Forwarded, isProxy: (address: string) => boolean): string {
  let { address, subject } = peerOf(socket);
  const entries = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  // The last entry is of the nearest proxy: each one that is trusted vouches for the entry before its own.
  for (const entry of entries.toReversed()) {
    if (!isProxy(address)) break;
    const next = addressIn(entry);
    if (next === null) break;
    address = next.toString();
    subject = subjectOf(next);
  }
  return subject;
}

/** Return a test of whether an address is that of a trusted proxy. */
export function isProxyOf(app: Pick<Application, 'get'>): (address: string) => boolean {
  const isTrusted: (address: string, hop: number) => boolean = app.get('trust proxy fn');
  return (address) => isTrusted(address, 0);
}
