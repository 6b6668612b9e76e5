import {
  type Codec,
  FriendlyError,
  httpUrl,
  listOf,
  oneOf,
  optional,
  socketUrl,
  textOf,
  type ValuesOf,
  withDefault,
} from '@core/runtime';
import type { VenueDomain } from '@core/vault';
import { type PlannedRestart, plannedRestartOf } from './plannedRestart.ts';
import { type ReferenceSockets, type VenueHosts, type VenueProfile, venueProfiles } from './venueProfile.ts';

/** One restart that is known in advance. */
const plannedRestart: Codec<PlannedRestart> = {
  expects: 'a weekly time like Tue 07:00 America/New_York or an instant like 2026-12-01T12:00:00Z',
  read: plannedRestartOf,
};

/** Settings by which a program selects its venue. Hosts of the profile count where none is set. */
export const venueSettings = {
  /** `simulator`: one origin, which VENUE_URL names. `real`: the real venue and its hosts. */
  VENUE_PROFILE: withDefault(oneOf(['simulator', 'real']), 'simulator'),
  /** Origin of all endpoints and sockets, replaced for some by the settings below. */
  VENUE_URL: optional(httpUrl),
  /** Origin of markets and events. */
  VENUE_CATALOGUE_URL: optional(httpUrl),
  /** Origin of holders. */
  VENUE_DATA_URL: optional(httpUrl),
  /** Origin of the relayer of deposit wallets. */
  VENUE_RELAYER_URL: optional(httpUrl),
  /** Market socket, `ws://…/ws/market`. */
  VENUE_MARKET_SOCKET_URL: optional(socketUrl),
  /** Socket of the account's own orders, `ws://…/ws/user`; beside the market socket when left out. */
  VENUE_USER_SOCKET_URL: optional(socketUrl),
  /** HTTP origin of spot prices and games; without it the sockets of the profile, or the venue's origin. */
  REFERENCE_URL: optional(httpUrl),
  /** Socket of the venue's reference prices. */
  VENUE_LIVE_DATA_URL: optional(socketUrl),
  /** Socket of the venue's game states. */
  VENUE_SPORTS_URL: optional(socketUrl),
  /** Sockets of the exchanges that confirm reference prices, with the wires of Coinbase and Kraken. */
  REFERENCE_COINBASE_URL: optional(socketUrl),
  REFERENCE_KRAKEN_URL: optional(socketUrl),
  /** Restarts of the venue in whose windows nothing opens, in place of the profile's; a comma alone names none. */
  VENUE_RESTARTS: optional(listOf(plannedRestart)),
};

/** Further settings of a program that places orders. */
export const tradingSettings = {
  ...venueSettings,
  /** Signing domain of the exchange; the profile's when left out. */
  EXCHANGE_DOMAIN_NAME: optional(textOf()),
  EXCHANGE_DOMAIN_VERSION: optional(textOf()),
  /** `derived`: private requests carry credentials of the program's key; as the profile says when left out. */
  VENUE_CREDENTIALS: optional(oneOf(['none', 'derived'])),
};

/** Source of reference prices and games. */
export type ReferenceSource =
  | { readonly kind: 'http'; readonly url: string }
  | { readonly kind: 'sockets'; readonly sockets: ReferenceSockets };

/** Venue that a program's settings select. */
export interface SelectedVenue {
  readonly profile: VenueProfile;
  readonly hosts: VenueHosts;
  readonly reference: ReferenceSource;
  /** Restarts that are known in advance. */
  readonly restarts: VenueProfile['restarts'];
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

/**
 * Hosts of a venue behind one origin.
 * @param url Origin of all endpoints and sockets.
 */
function hostsAt(url: string): VenueHosts {
  const origin = withoutSlash(url);
  const socketOrigin = origin.replace(/^http/, 'ws');
  return {
    url: origin,
    catalogueUrl: origin,
    dataUrl: origin,
    relayerUrl: origin,
    marketSocketUrl: `${socketOrigin}/ws/market`,
    userSocketUrl: `${socketOrigin}/ws/user`,
  };
}

/** Reference sockets of a venue behind one origin, its exchanges included. */
function referenceSocketsAt(url: string): ReferenceSockets {
  const origin = withoutSlash(url).replace(/^http/, 'ws');
  return {
    liveData: `${origin}/ws/live-data`,
    sports: `${origin}/ws/sports`,
    coinbase: `${origin}/ws/coinbase`,
    kraken: `${origin}/ws/kraken`,
  };
}

function referenceOf(env: ValuesOf<typeof venueSettings>, profile: VenueProfile, venueUrl: string): ReferenceSource {
  if (env.REFERENCE_URL !== undefined || profile.referenceSockets === null) {
    return { kind: 'http', url: withoutSlash(env.REFERENCE_URL ?? venueUrl) };
  }
  const sockets = env.VENUE_URL === undefined ? profile.referenceSockets : referenceSocketsAt(env.VENUE_URL);
  return {
    kind: 'sockets',
    sockets: {
      liveData: env.VENUE_LIVE_DATA_URL ?? sockets.liveData,
      sports: env.VENUE_SPORTS_URL ?? sockets.sports,
      coinbase: env.REFERENCE_COINBASE_URL ?? sockets.coinbase,
      kraken: env.REFERENCE_KRAKEN_URL ?? sockets.kraken,
    },
  };
}

const userSocketBeside = (marketSocketUrl: string): string => marketSocketUrl.replace(/\/ws\/market$/, '/ws/user');

/**
 * Return the profile and the hosts that the settings select.
 * @throws FriendlyError when the profile names no hosts and neither does VENUE_URL.
 */
export function selectedVenueOf(env: ValuesOf<typeof venueSettings>): SelectedVenue {
  const profile = venueProfiles[env.VENUE_PROFILE];
  const hosts = env.VENUE_URL === undefined ? profile.hosts : hostsAt(env.VENUE_URL);
  if (hosts === null) {
    throw new FriendlyError(
      'VENUE_URL is missing: set it to the origin of the simulator, or select another VENUE_PROFILE',
    );
  }
  const { VENUE_CATALOGUE_URL: catalogueUrl, VENUE_DATA_URL: dataUrl, VENUE_MARKET_SOCKET_URL: marketSocketUrl } = env;
  const userSocketUrl =
    env.VENUE_USER_SOCKET_URL ?? (marketSocketUrl === undefined ? undefined : userSocketBeside(marketSocketUrl));
  return {
    profile,
    reference: referenceOf(env, profile, hosts.url),
    restarts: env.VENUE_RESTARTS ?? profile.restarts,
    hosts: {
      url: hosts.url,
      catalogueUrl: catalogueUrl === undefined ? hosts.catalogueUrl : withoutSlash(catalogueUrl),
      dataUrl: dataUrl === undefined ? hosts.dataUrl : withoutSlash(dataUrl),
      relayerUrl: withoutSlash(env.VENUE_RELAYER_URL ?? hosts.relayerUrl),
      marketSocketUrl: marketSocketUrl ?? hosts.marketSocketUrl,
      userSocketUrl: userSocketUrl ?? hosts.userSocketUrl,
    },
  };
}

/** Terms on which a program places orders. */
export interface TradingTerms {
  /** Signing domain of the exchange. */
  readonly venueDomain: Pick<VenueDomain, 'name' | 'version'>;
  /** Absent where requests carry no credentials. */
  readonly credentialTerms?: VenueProfile['login'] & { readonly chainId: number };
}

/** Return the terms on which a program places orders at the venue that its settings select. */
export function tradingTermsOf(
  env: ValuesOf<typeof tradingSettings> & { readonly CHAIN_ID: number },
  { orderDomains, needsCredentials, login }: VenueProfile,
): TradingTerms {
  const { EXCHANGE_DOMAIN_NAME: name, EXCHANGE_DOMAIN_VERSION: version, CHAIN_ID: chainId } = env;
  const venueDomain = { name: name ?? orderDomains.v1.name, version: version ?? orderDomains.v1.version };
  const hasCredentials = (env.VENUE_CREDENTIALS ?? (needsCredentials ? 'derived' : 'none')) === 'derived';
  return { venueDomain, ...(hasCredentials ? { credentialTerms: { ...login, chainId } } : {}) };
}
