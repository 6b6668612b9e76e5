import { createHmac } from 'node:crypto';
import { concat, type Hex, hashDomain, hashStruct, hexToBytes } from 'viem';
import type { PrivateRequest } from '../port/credentials.ts';
import type { LoginTerms } from '../profile/venueProfile.ts';

/** Terms of the login on one chain. */
export interface CredentialTerms extends LoginTerms {
  readonly chainId: number;
}

/** Message that an account signs to get its credentials. */
export interface CredentialRequest {
  readonly address: Hex;
  /** Whole epoch seconds. */
  readonly timestampSeconds: string;
  /** Number that distinguishes several keys of one account. */
  readonly nonce: bigint;
}

/** Return the EIP-712 message of a credential request, whose hash the account's key signs. */
export function credentialRequestMessageOf(terms: CredentialTerms, request: CredentialRequest): Uint8Array {
  const types = {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
    ],
    [terms.structName]: [
      { name: 'address', type: 'address' },
      { name: 'timestamp', type: 'string' },
      { name: 'nonce', type: 'uint256' },
      { name: 'message', type: 'string' },
    ],
  };
  const data = {
    address: request.address,
    timestamp: request.timestampSeconds,
    nonce: request.nonce,
    message: terms.statement,
  };
  return hexToBytes(
    concat([
      '0x1901',
      hashDomain({ domain: { ...terms.domain, chainId: terms.chainId }, types }),
      hashStruct({ data, primaryType: terms.structName, types }),
    ]),
  );
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
