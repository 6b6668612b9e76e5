import { reject } from '@core/errors';
import type { AuthLevel } from '@core/wire';
import type { CredentialFault } from '../auth/credentialFault.ts';
import type { Refusal } from './call.ts';

const headerOf: Record<AuthLevel, string> = {
  partner: '`Authorization: Api-Key <API_KEY>`',
  user: '`Authorization: Bearer <ACCESS_TOKEN>`',
  user_or_partner: '`Authorization: Bearer <ACCESS_TOKEN>` or `Authorization: Api-Key <API_KEY>`',
  public: 'no credential',
};

const sentences: Record<CredentialFault, (header: string) => string> = {
  missing: (header) => `No credential was sent. Send ${header}.`,
  malformed: (header) => `Malformed Authorization header. Send ${header}.`,
  unknown: () => 'This credential is not known. Check that it was copied whole, and that it was issued here.',
  revoked: () => 'This API key was revoked. Use the key that replaced it, or ask for a new one.',
  expired: () => 'This token has expired. Create a new one with `POST /tokens`.',
  other_environment: () => 'This credential belongs to the other environment. Use it on the host it was issued for.',
};

const realm = 'realm="leveraged-prediction-markets"';
const bearer = `Bearer ${realm}`;
const apiKey = `Api-Key ${realm}`;

/** The `WWW-Authenticate` of a 401: the kinds of credential the route takes. */
export const challengeOf: Readonly<Record<AuthLevel, string>> = {
  partner: apiKey,
  user: bearer,
  user_or_partner: `${bearer}, ${apiKey}`,
  public: `${bearer}, ${apiKey}`,
};

/** The 401 of a route: one code for every cause, with a sentence for each. */
export function unauthorized(auth: AuthLevel, fault: CredentialFault | null): Refusal {
  const header = headerOf[auth];
  const detail =
    fault === null ? `This route takes another kind of credential. Send ${header}.` : sentences[fault](header);
  return { kind: 'refusal', rejection: reject('unauthorized'), detail, param: 'Authorization' };
}
