import type { Gateway } from '../events.ts';
import type { AuthLevel } from '../routes/route.ts';

/** Every socket's address starts with this. */
export const socketBasePath = '/v1/ws/prediction-markets';

/** One gateway: where it is, who may connect, and how it begins. */
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
    summary: 'All positions of the partner: a snapshot of those that are not finished, then every event',
  },
  user: {
    path: '/customer-positions',
    auth: 'user',
    summary: "The positions of the token's wallet, in the same way, with notifications",
  },
  markets: {
    path: '/markets',
    auth: 'user_or_partner',
    summary: 'Markets as they are listed and change; no snapshot, the list is read by GET /markets',
  },
};

/** Subprotocol of this version. A browser, which cannot set headers, offers it together with `bearer.<token>`. */
export const socketProtocol = 'lev.v1';
export const tokenProtocolPrefix = 'bearer.';

/** Why the service ends a connection, and whether the client should connect again at once. */
export const closeCodes = {
  unsupportedFrame: { code: 1003, reason: 'binary frames are not read', reconnect: false },
  frameTooLarge: { code: 1009, reason: 'the frame is too large', reconnect: false },
  badToken: { code: 4401, reason: 'the credential has expired, was revoked or is not accepted', reconnect: false },
  wrongEnvironment: { code: 4403, reason: 'the credential is of the other environment', reconnect: false },
  idle: { code: 4408, reason: 'nothing was heard from the client', reconnect: true },
  slowReader: { code: 4409, reason: 'the client reads more slowly than events come', reconnect: true },
  tooMany: { code: 4429, reason: 'too many connections or frames', reconnect: false },
  restart: { code: 4500, reason: 'the service restarts or has too much to do', reconnect: true },
} as const satisfies Record<string, { readonly code: number; readonly reason: string; readonly reconnect: boolean }>;

/** Numbers of a connection. */
export const socketLimits = {
  /** Largest frame a client may send, in bytes. */
  frameBytes: 8_192,
  /** Frames a client may send in a minute. */
  framesPerMinute: 60,
  /** Open connections of one wallet, and of one partner's keys, to one process. */
  connectionsPerWallet: 20,
  connectionsPerPartner: 2_000,
  /** Accepted handshakes in a minute, of one wallet and of one partner's keys, to one process. */
  handshakesPerWallet: 120,
  handshakesPerPartner: 12_000,
  /** Bytes that may wait for a client before it counts as a slow reader. */
  waitingBytes: 1_048_576,
  pingIntervalMs: 30_000,
  /** Without any sign of life for this long the connection ends. */
  idleMs: 75_000,
  expiryWarningMs: 60_000,
  /** Positions in one frame of a snapshot. */
  snapshotPositions: 100,
  /** Events that are replayed at most; a client that is further behind starts anew. */
  replayedEvents: 10_000,
  /** At most one `market.updated` per market in this time. */
  marketWindowMs: 250,
} as const;
