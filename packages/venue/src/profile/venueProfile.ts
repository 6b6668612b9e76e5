import type { Address } from 'viem';
import type { PlannedRestart } from './plannedRestart.ts';

/** Origins of a venue. */
export interface VenueHosts {
  /** Order books, orders and credentials. */
  readonly url: string;
  /** Markets and events. */
  readonly catalogueUrl: string;
  /** Holders. */
  readonly dataUrl: string;
  /** Deposit wallets and their batches. */
  readonly relayerUrl: string;
  readonly marketSocketUrl: string;
  readonly userSocketUrl: string;
}

/** Sockets of reference prices and games: two of the venue, and two exchanges that confirm its prices. */
export interface ReferenceSockets {
  readonly liveData: string;
  readonly sports: string;
  readonly coinbase: string;
  readonly kraken: string;
}

/** Terms of the login by which an account gets the key to its private endpoints. */
export interface LoginTerms {
  /** EIP-712 name and version of the login, which has no verifying contract. */
  readonly domain: { readonly name: string; readonly version: string };
  /** Name of the signed struct. */
  readonly structName: string;
  /** Sentence in the signed struct. */
  readonly statement: string;
  /** First part of the names of all credential headers, its hyphen or underscore included. */
  readonly headerPrefix: string;
}

/** Version of a market's contracts: it selects the id field, the exchange and the signing domain. */
export type ContractVersion = 'v1' | 'v2';

/** EIP-712 name and version of an exchange. */
export interface OrderDomain {
  readonly name: string;
  readonly version: string;
}

/** Contracts that a venue signs against, on the chain of its profile. */
export interface VenueContracts {
  readonly collateral: Address;
  readonly conditionalTokens: Address;
  /** Exchange of markets by contract version; negative risk has one of its own in the first. */
  readonly exchanges: Readonly<Record<ContractVersion, Address>>;
  readonly negRiskExchange: Address;
  readonly positionManager: Address;
  readonly walletFactory: Address;
  readonly walletBeacon: Address;
}

/** Requests that a venue lets through from one address. */
export interface EndpointLimit {
  /** First part of the paths, or the whole of one; the longest that fits counts. */
  readonly path: string;
  /** Absent: both methods. */
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly requestsPer10Seconds: number;
}

/** Everything that distinguishes one venue from another. */
export interface VenueProfile {
  readonly chainId: number;
  /** Null: all hosts are one origin, which the deployment names. */
  readonly hosts: VenueHosts | null;
  /** Address that says whether orders are taken from the caller's place; null: `/api/geoblock` of the venue. */
  readonly geographyUrl: string | null;
  /** Null: reference prices and games come over HTTP, from the venue's origin or another. */
  readonly referenceSockets: ReferenceSockets | null;
  /** Rule of crypto markets whose texts state none that is known: `unknown` ones have no quotes, null is not judged. */
  readonly unstatedSettlement: 'unknown' | null;
  /** Null: the contracts of the deployment. */
  readonly contracts: VenueContracts | null;
  readonly login: LoginTerms;
  /** True where orders, trades and the user socket always need credentials. */
  readonly needsCredentials: boolean;
  /**
   * True where the order server takes orders of the key owner's own deposit wallet alone, and remembers balances until
   * they are updated.
   */
  readonly hasMakerRegistry: boolean;
  /** List of the catalogue that a pass begins with; the other one is read where it is refused. */
  readonly catalogueList: 'offset' | 'keyset';
  /** Time after a restart in which only resting orders are taken, milliseconds. */
  readonly postOnlyMs: number;
  /** Restarts that are known in advance. */
  readonly restarts: readonly PlannedRestart[];
  readonly orderDomains: Readonly<Record<ContractVersion, OrderDomain>>;
  /** EIP-712 name and version of a deposit wallet. */
  readonly walletDomain: OrderDomain;
  /** Limits of one address; empty where the venue has none. */
  readonly limits: readonly EndpointLimit[];
}

/** Requests per ten seconds that the real venue documents, by the first part of a path. */
const documentedLimits: readonly EndpointLimit[] = [
  { path: '/book', requestsPer10Seconds: 1_500 },
  { path: '/price', requestsPer10Seconds: 1_500 },
  { path: '/midpoint', requestsPer10Seconds: 1_500 },
  { path: '/books', requestsPer10Seconds: 500 },
  { path: '/prices', requestsPer10Seconds: 500 },
  { path: '/midpoints', requestsPer10Seconds: 500 },
  { path: '/prices-history', requestsPer10Seconds: 1_000 },
  { path: '/tick-size', requestsPer10Seconds: 200 },
  { path: '/balance-allowance', requestsPer10Seconds: 200 },
  { path: '/balance-allowance/update', requestsPer10Seconds: 50 },
  { path: '/auth', requestsPer10Seconds: 100 },
  // Orders of one signer come to 40 a second, cancels to 80.
  { path: '/order', method: 'POST', requestsPer10Seconds: 400 },
  { path: '/order', method: 'DELETE', requestsPer10Seconds: 800 },
  { path: '/data', requestsPer10Seconds: 500 },
  { path: '/markets', requestsPer10Seconds: 300 },
  { path: '/events', requestsPer10Seconds: 500 },
  { path: '/holders', requestsPer10Seconds: 200 },
];

/** The real venue on Polygon. Its market catalogue, books and data have three hosts. */
export const realVenueProfile: VenueProfile = {
  chainId: 137,
  hosts: {
    url: 'https://clob.polymarket.com',
    catalogueUrl: 'https://gamma-api.polymarket.com',
    dataUrl: 'https://data-api.polymarket.com',
    relayerUrl: 'https://relayer-v2.polymarket.com',
    marketSocketUrl: 'wss://ws-subscriptions-clob.polymarket.com/ws/market',
    userSocketUrl: 'wss://ws-subscriptions-clob.polymarket.com/ws/user',
  },
  geographyUrl: 'https://polymarket.com/api/geoblock',
  referenceSockets: {
    liveData: 'wss://ws-live-data.polymarket.com',
    sports: 'wss://sports-api.polymarket.com/ws',
    coinbase: 'wss://ws-feed.exchange.coinbase.com',
    kraken: 'wss://ws.kraken.com/v2',
  },
  unstatedSettlement: 'unknown',
  contracts: {
    collateral: '0xC011a7E12a19f7B1f670d46F03B03f3342E82DFB',
    conditionalTokens: '0x4D97DCd97eC945f40cF65F87097ACe5EA0476045',
    exchanges: {
      v1: '0xE111180000d2663C0091e4f400237545B87B996B',
      v2: '0xe3333700cA9d93003F00f0F71f8515005F6c00Aa',
    },
    negRiskExchange: '0xe2222d279d744050d28e00520010520000310F59',
    positionManager: '0x006F54F7f9A22e0000CC2AB60031000000ae9fEF',
    walletFactory: '0x00000000000Fb5C9ADea0298D729A0CB3823Cc07',
    walletBeacon: '0x7A18EDfe055488A3128f01F563e5B479D92ffc3a',
  },
  login: {
    domain: { name: 'ClobAuthDomain', version: '1' },
    structName: 'ClobAuth',
    statement: 'This message attests that I control the given wallet',
    headerPrefix: 'POLY_',
  },
  needsCredentials: true,
  hasMakerRegistry: true,
  catalogueList: 'keyset',
  postOnlyMs: 120_000,
  // Its documents name two times and, in their newest form, a notice of two days instead: both times count.
  restarts: [
    { kind: 'weekly', weekday: 2, minute: 7 * 60, timeZone: 'America/New_York' },
    { kind: 'weekly', weekday: 1, minute: 20 * 60, timeZone: 'America/New_York' },
  ],
  orderDomains: {
    v1: { name: 'Polymarket CTF Exchange', version: '2' },
    v2: { name: 'Polymarket CTF Exchange', version: '3' },
  },
  walletDomain: { name: 'DepositWallet', version: '1' },
  limits: documentedLimits,
};

/** The local simulator: one origin, contracts of the deployment, and credentials where it is started with them. */
export const simulatorProfile: VenueProfile = {
  chainId: 31_337,
  hosts: null,
  geographyUrl: null,
  referenceSockets: null,
  unstatedSettlement: null,
  contracts: null,
  login: {
    domain: { name: 'Venue Authentication', version: '1' },
    structName: 'CredentialRequest',
    statement: 'This account asks for its key to the private endpoints.',
    headerPrefix: 'VENUE_',
  },
  needsCredentials: false,
  hasMakerRegistry: false,
  catalogueList: 'offset',
  postOnlyMs: 0,
  restarts: [],
  orderDomains: {
    v1: { name: 'Venue Exchange', version: '2' },
    v2: { name: 'Venue Exchange', version: '3' },
  },
  walletDomain: { name: 'DepositWallet', version: '1' },
  limits: [],
};

/** Profiles by the name that a setting selects them with. */
export const venueProfiles = { simulator: simulatorProfile, real: realVenueProfile } as const;
