/**
 * Reason that a credential identifies no one. It never says whether a key exists: only the holder of a whole key or
 * token learns that it was revoked or has expired. The environment is read from the credential itself.
 */
export type CredentialFault = 'missing' | 'malformed' | 'unknown' | 'revoked' | 'expired' | 'other_environment';
