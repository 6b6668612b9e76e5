import type { Clock } from '@core/runtime';
import { SigningKey } from '@core/vault';
import {
  type CredentialTerms,
  DerivedCredentials,
  EndpointPauses,
  HttpVenueClient,
  RequestBudget,
  type VenueProfile,
} from '@core/venue';
import type { Hex } from 'viem';

/** Venue of a filler, with the key of its account. */
export interface FillerVenue {
  /** Origin of books and orders. */
  readonly venueUrl: string;
  /** Origin of markets; `venueUrl` when absent. */
  readonly catalogueUrl?: string;
  /** Limits of the venue; none when absent. */
  readonly venueLimits?: VenueProfile['limits'];
  /** Terms of credentials derived from the key, for a venue with authenticated endpoints. */
  readonly credentialTerms?: CredentialTerms;
  /** Key of the account that holds the float. */
  readonly privateKey: Hex;
}

/** Open the venue of a filler, with credentials of its key where the venue wants them. */
export function openVenue(config: FillerVenue, clock: Clock): HttpVenueClient {
  const { venueUrl: url, catalogueUrl = url, credentialTerms: terms, privateKey } = config;
  const pauses = new EndpointPauses();
  const budget = new RequestBudget(config.venueLimits ?? []);
  const account = new SigningKey(privateKey);
  const own = { pauses, budget };
  const credentials =
    terms === undefined
      ? {}
      : { credentials: new DerivedCredentials({ url, account, terms, nowMs: () => clock.nowMs(), ...own }) };
  return new HttpVenueClient({ url, catalogueUrl, ...own, ...credentials });
}
