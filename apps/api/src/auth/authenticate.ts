import type { ApiKeyStore, Environment, PartnerRecord, PartnerStore } from '@core/store';
import type { AuthLevel } from '@core/wire';
import type { CredentialFault } from './credentialFault.ts';
import type { UserTokens, VerifiedToken } from './userTokens.ts';
import { parseWalletAddress, type Wallet } from './walletAddress.ts';

export interface PartnerCaller {
  readonly kind: 'partner';
  readonly partner: PartnerRecord;
}

export interface UserCaller {
  readonly kind: 'user';
  readonly partner: PartnerRecord;
  readonly wallet: Wallet;
  readonly token: VerifiedToken;
}

/** Caller of an accepted credential. */
export type Caller = PartnerCaller | UserCaller;

/** `none`: no credential was sent, or one that is not accepted. */
export type Identity = Caller | { readonly kind: 'none'; readonly fault: CredentialFault };

const keyPrefixes: Record<Environment, string> = { production: 'live_skey_', sandbox: 'sbx_skey_' };
/** Longer headers are no credential of this service. */
const maxCredentialLength = 4_096;

/** Sources that credentials are checked against. */
export interface Credentials {
  readonly environment: Environment;
  readonly apiKeys: Pick<ApiKeyStore, 'authenticate'>;
  readonly partners: Pick<PartnerStore, 'byId'>;
  readonly userTokens: Pick<UserTokens, 'verify' | 'isCurrent'>;
}

const noOne = (fault: CredentialFault): Identity => ({ kind: 'none', fault });

/**
 * Read an Authorization header: `Api-Key <key>` or `Bearer <token>`. What is not accepted identifies no one. `before`
 * is the caller this very header named before: then only what may have changed is checked.
 */
export async function identify(
  authorization: string | undefined,
  credentials: Credentials,
  before?: Caller,
): Promise<Identity> {
  if (authorization === undefined || authorization === '') return noOne('missing');
  if (authorization.length > maxCredentialLength) return noOne('malformed');
  const [scheme = '', credential = '', ...rest] = authorization.split(' ');
  if (credential === '' || rest.length > 0) return noOne('malformed');
  if (scheme.toLowerCase() === 'api-key') return identifyPartner(credential, credentials);
  if (scheme.toLowerCase() !== 'bearer') return noOne('malformed');
  const isSame = before?.kind === 'user' && credentials.userTokens.isCurrent(before.token);
  return isSame ? userOf(before, credentials) : identifyUser(credential, credentials);
}

/** False as soon as a remembered caller's token has run out or lost its key. */
export function isStillValid(caller: Caller, { userTokens }: Credentials): boolean {
  return caller.kind === 'partner' || userTokens.isCurrent(caller.token);
}

async function identifyPartner(secret: string, credentials: Credentials): Promise<Identity> {
  // A key of the other environment is refused before anything is looked up.
  if (!secret.includes(keyPrefixes[credentials.environment])) {
    const isKey = Object.values(keyPrefixes).some((prefix) => secret.includes(prefix));
    return noOne(isKey ? 'other_environment' : 'malformed');
  }
  const record = await credentials.apiKeys.authenticate(secret, credentials.environment);
  if (record === null || record === 'revoked') return noOne(record ?? 'unknown');
  const partner = await credentials.partners.byId(record.partnerId);
  return partner === null ? noOne('unknown') : { kind: 'partner', partner };
}

async function identifyUser(text: string, credentials: Credentials): Promise<Identity> {
  const token = await credentials.userTokens.verify(text);
  if (typeof token === 'string') return noOne(token);
  const wallet = parseWalletAddress(token.walletAddress);
  return wallet === null ? noOne('unknown') : userOf({ token, wallet }, credentials);
}

async function userOf(
  { token, wallet }: Pick<UserCaller, 'token' | 'wallet'>,
  { partners }: Credentials,
): Promise<Identity> {
  const partner = await partners.byId(token.partnerId);
  return partner === null ? noOne('unknown') : { kind: 'user', partner, wallet, token };
}

/** True when this caller may use a route of this level. */
export function mayCall(identity: Identity, auth: AuthLevel): identity is Caller {
  if (identity.kind === 'none') return false;
  return auth === 'user_or_partner' || auth === identity.kind;
}
