import type { Gateway } from '../events.ts';
import type { AuthLevel } from '../routes/route.ts';

/** Common prefix of every socket path. */
export const socketBasePath = '/v1/ws/prediction-markets';

/** Definition of a gateway: path, credential and summary. */
export interface GatewayDefinition {
  readonly path: `/${string}`;
  readonly auth: Exclude<AuthLevel, 'public'>;
  readonly summary: string;
}

/** The three gateways. */
export const gateways: Readonly<Record<Gateway, GatewayDefinition>> = {
  partner: {
    path: '/positions',
    auth: 'partner',
    summary: 'All positions of the partner: a snapshot of the active ones, then every event',
  },
  user: {
    path: '/customer-positions',
    auth: 'user',
    summary: "Positions of the token's wallet: a snapshot, then every event, including notifications",
  },
  markets: {
    path: '/markets',
    auth: 'user_or_partner',
    summary: 'New and changed markets, and prices of followed ones; no snapshot, because GET /markets returns the list',
  },
};

/** Subprotocol of this version. A browser cannot set headers and offers it together with `bearer.<token>`. */
export const socketProtocol = 'lev.v1';
export const tokenProtocolPrefix = 'bearer.';

/** Reasons for which the service ends a connection, and advice to connect again at once. */
export const closeCodes = {
  unsupportedFrame: { code: 1003, reason: 'binary frames are not supported', reconnect: false },
  frameTooLarge: { code: 1009, reason: 'the frame is too large', reconnect: false },
  badToken: { code: 4401, reason: 'the credential has expired, was revoked or is not accepted', reconnect: false },
  wrongEnvironment: { code: 4403, reason: 'the credential belongs to the other environment', reconnect: false },
  idle: { code: 4408, reason: 'the client sent nothing for too long', reconnect: true },
  slowReader: { code: 4409, reason: 'the client reads more slowly than events arrive', reconnect: true },
  tooMany: { code: 4429, reason: 'too many connections or frames', reconnect: false },
  restart: { code: 4500, reason: 'the service restarts or is overloaded', reconnect: true },
} as const satisfies Record<string, { readonly code: number; readonly reason: string; readonly reconnect: boolean }>;

/** Limits of a connection. */
export const socketLimits = {
  /** Maximum size of a client frame, in bytes. */
  frameBytes: 8_192,
  /** Maximum client frames per minute. */
  framesPerMinute: 60,
  /** Maximum open connections per process, of one wallet and of one partner's keys. */
  connectionsPerWallet: 20,
  connectionsPerPartner: 2_000,
  /** Maximum accepted handshakes per minute and process, of one wallet and of one partner's keys. */
  handshakesPerWallet: 120,
  handshakesPerPartner: 12_000,
  /** Maximum queued bytes of a client; above it the client counts as a slow reader. */
  waitingBytes: 1_048_576,
  pingIntervalMs: 30_000,
  /** Idle time after which the connection ends. */
  idleMs: 75_000,
  expiryWarningMs: 60_000,
  /** Positions per snapshot frame. */
  snapshotPositions: 100,
  /** Maximum replayed events; a client further behind starts from a snapshot. */
  replayedEvents: 10_000,
  /** Window of at most one `market.updated`, and one entry of a `prices` frame, per market. */
  marketWindowMs: 250,
  /** Maximum markets whose prices one connection may follow. */
  followedMarkets: 500,
  /** Interval at which prices of followed markets are repeated, changed or not. */
  pricesRepeatMs: 5_000,
} as const;
