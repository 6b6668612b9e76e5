import type { LocalAccount } from '@core/contracts/local';
import { SigningKey } from '@core/vault';
import { type CredentialTerms, DerivedCredentials } from '@core/venue';
import { VenueControl } from '@core/venue-sim/control';
import { z } from 'zod';

const answerSchema = z.object({ key: z.string() });

/** Create a key to the relayer of a venue, as the owner of an account does once. */
export async function createRelayerKey(
  url: string,
  { account, terms }: { readonly account: LocalAccount; readonly terms: CredentialTerms },
): Promise<string> {
  const nowMs = await new VenueControl(url).nowMs();
  const owner = new SigningKey(account.privateKey);
  const credentials = new DerivedCredentials({ url, account: owner, terms, nowMs: () => nowMs });
  const path = '/auth/builder-api-key';
  const headers = await credentials.headersOf({ method: 'POST', path, body: '' });
  const response = await fetch(`${url}${path}`, { method: 'POST', headers });
  return answerSchema.parse(await response.json()).key;
}
