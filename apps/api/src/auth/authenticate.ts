import type { ApiKeyStore, Environment, PartnerStore } from '@core/store';
import type { AuthLevel } from '@core/wire';
import type { Caller, Identity } from './caller.ts';
import type { UserTokens } from './userTokens.ts';
import { parseWalletAddress } from './walletAddress.ts';

const keyPrefixes: Record<Environment, string> = { production: 'live_skey_', sandbox: 'sbx_skey_' };
/** Longer headers are no credential of this service. */
const maxCredentialLength = 4_096;

/** What credentials are checked against. */
export interface Credentials {
  readonly environment: Environment;
  readonly apiKeys: Pick<ApiKeyStore, 'authenticate'>;
  readonly partners: Pick<PartnerStore, 'byId'>;
  readonly userTokens: Pick<UserTokens, 'verify'>;
}

/** Reads an Authorization header: `Api-Key <key>` or `Bearer <token>`. Anything that is not accepted is nobody. */
export async function identify(authorization: string | undefined, credentials: Credentials): Promise<Identity> {
  if (authorization === undefined || authorization.length > maxCredentialLength) return { kind: 'none' };
  const [scheme = '', credential = '', ...rest] = authorization.split(' ');
  if (credential === '' || rest.length > 0) return { kind: 'none' };
  if (scheme.toLowerCase() === 'api-key') return identifyPartner(credential, credentials);
  if (scheme.toLowerCase() === 'bearer') return identifyUser(credential, credentials);
  return { kind: 'none' };
}

async function identifyPartner(secret: string, credentials: Credentials): Promise<Identity> {
  // A key of the other environment is refused before anything is looked up.
  if (!secret.includes(keyPrefixes[credentials.environment])) return { kind: 'none' };
  const record = await credentials.apiKeys.authenticate(secret, credentials.environment);
  const partner = record === null ? null : await credentials.partners.byId(record.partnerId);
  return partner === null ? { kind: 'none' } : { kind: 'partner', partner };
}

async function identifyUser(token: string, credentials: Credentials): Promise<Identity> {
  const subject = await credentials.userTokens.verify(token);
  const wallet = subject === null ? null : parseWalletAddress(subject.walletAddress);
  if (subject === null || wallet === null) return { kind: 'none' };
  const partner = await credentials.partners.byId(subject.partnerId);
  return partner === null ? { kind: 'none' } : { kind: 'user', partner, wallet };
}

/** True when this caller may use a route of this level. */
export function mayCall(identity: Identity, auth: AuthLevel): identity is Caller {
  if (identity.kind === 'none') return false;
  return auth === 'user_or_partner' || auth === identity.kind;
}
