import { createHmac } from 'node:crypto';
import { type Hex, hashTypedData } from 'viem';
import type { PrivateRequest } from '../port/credentials.ts';

/** What a venue fixes of its credential requests: all of it is configuration, as hosts and addresses are. */
export interface CredentialTerms {
  readonly chainId: number;
  /** EIP-712 name and version of the venue's authentication, not of its exchange. */
  readonly domain: { readonly name: string; readonly version: string };
  /** Name of the signed struct. */
  readonly structName: string;
  /** The sentence that is signed. */
  readonly statement: string;
  /** First part of the names of all credential headers, its hyphen or underscore included. */
  readonly headerPrefix: string;
}

/** The terms of the local simulator. */
export const localCredentialTerms: CredentialTerms = {
  chainId: 31_337,
  domain: { name: 'Venue Authentication', version: '1' },
  structName: 'CredentialRequest',
  statement: 'This account asks for its key to the private endpoints.',
  headerPrefix: 'VENUE_',
};

/** What an account signs to get its credentials. */
export interface CredentialRequest {
  readonly address: Hex;
  /** Whole epoch seconds. */
  readonly timestampSeconds: string;
  /** Distinguishes several keys of one account. */
  readonly nonce: bigint;
}

/** EIP-712 digest of a credential request: 32 bytes to be signed by the account's key. */
export function credentialRequestHashOf(terms: CredentialTerms, request: CredentialRequest): Hex {
  return hashTypedData({
    domain: { ...terms.domain, chainId: terms.chainId },
    types: {
      [terms.structName]: [
        { name: 'address', type: 'address' },
        { name: 'timestamp', type: 'string' },
        { name: 'nonce', type: 'uint256' },
        { name: 'message', type: 'string' },
      ],
    },
    primaryType: terms.structName,
    message: {
      address: request.address,
      timestamp: request.timestampSeconds,
      nonce: request.nonce,
      message: terms.statement,
    },
  });
}

/**
 * Signature of a private request: HMAC-SHA256 of timestamp + method + path + body under the decoded secret, as url-safe
 * base64 with its padding.
 */
export function privateSignatureOf(secret: string, timestampSeconds: string, request: PrivateRequest): string {
  return createHmac('sha256', Buffer.from(secret, 'base64url'))
    .update(`${timestampSeconds}${request.method}${request.path}${request.body}`)
    .digest('base64')
    .replaceAll('+', '-')
    .replaceAll('/', '_');
}
