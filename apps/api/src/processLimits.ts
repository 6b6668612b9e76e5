/** A limit that protects one process, and the setting that changes it. */
interface ProcessLimit {
  /** Environment variable. */
  readonly setting: `LIMIT_${string}`;
  readonly value: number;
  /** Both bounds included. */
  readonly minimum: number;
  readonly maximum: number;
  readonly unit: string;
  readonly meaning: string;
  /** Argument for the default. */
  readonly reason: string;
}

/**
 * Every limit that keeps one slow or greedy client from stopping the others: connections, places, deadlines and bytes.
 * `docs/operate/limits.md` is generated from this table.
 */
export const processLimits = {
  connections: {
    setting: 'LIMIT_CONNECTIONS',
    value: 10_000,
    minimum: 16,
    maximum: 1_000_000,
    unit: 'connections',
    meaning: 'Open HTTP connections. A new one takes the room of the one that has been silent for the longest.',
    reason: 'A connection takes about 20 kB; 10,000 stay below the usual limit of open files.',
  },
  connectionsPerAddress: {
    setting: 'LIMIT_CONNECTIONS_PER_ADDRESS',
    value: 1_000,
    minimum: 2,
    maximum: 1_000_000,
    unit: 'connections',
    meaning: 'The same for one address. Proxies of `TRUST_PROXY` are exempt: they carry many clients.',
    reason: 'A tenth of all, so that one address cannot displace the others.',
  },
  requestsWaiting: {
    setting: 'LIMIT_REQUESTS_WAITING',
    value: 16,
    minimum: 0,
    maximum: 1_000,
    unit: 'requests',
    meaning: 'Pipelined requests that wait behind the one being answered. One more ends the connection.',
    reason: 'A connection is answered one request at a time, so waiting requests delay no other client.',
  },
  headersMs: {
    setting: 'LIMIT_HEADERS_MS',
    value: 10_000,
    minimum: 1_000,
    maximum: 120_000,
    unit: 'ms',
    meaning: 'Time for the headers of a request or of a socket handshake to arrive.',
    reason: 'Headers fit into one packet; ten seconds allow for several lost ones.',
  },
  requestMs: {
    setting: 'LIMIT_REQUEST_MS',
    value: 15_000,
    minimum: 1_000,
    maximum: 300_000,
    unit: 'ms',
    meaning: 'Time for a whole request to arrive, also one whose body is not read.',
    reason: 'Longer than headers and body together may take.',
  },
  bodyMs: {
    setting: 'LIMIT_BODY_MS',
    value: 5_000,
    minimum: 100,
    maximum: 120_000,
    unit: 'ms',
    meaning: 'Time for the body of a request to arrive after its headers.',
    reason: 'The largest body is 64 KiB: 13 kB a second are enough.',
  },
  bodyBytes: {
    setting: 'LIMIT_BODY_BYTES',
    value: 65_536,
    minimum: 4_096,
    maximum: 1_048_576,
    unit: 'bytes',
    meaning: 'Largest body of a request.',
    reason: 'Documented bodies have less than 1 kB.',
  },
  answerMs: {
    setting: 'LIMIT_ANSWER_MS',
    value: 30_000,
    minimum: 1_000,
    maximum: 600_000,
    unit: 'ms',
    meaning: 'Time until an answer has been taken by the client, from the moment its request is handled.',
    reason: 'A statement ends after 10 s, and the largest answer is 300 kB: 15 kB a second are enough.',
  },
  keepAliveMs: {
    setting: 'LIMIT_KEEP_ALIVE_MS',
    value: 75_000,
    minimum: 1_000,
    maximum: 3_600_000,
    unit: 'ms',
    meaning: 'Time an idle connection is kept open for the next request.',
    reason:
      'Longer than the 60 s of common balancers. When the service closes first, a balancer answers 502 now and then.',
  },
  drainMs: {
    setting: 'LIMIT_DRAIN_MS',
    value: 15_000,
    minimum: 100,
    maximum: 600_000,
    unit: 'ms',
    meaning: 'Time for requests under way to end when the service stops.',
    reason: 'Longer than the slowest statement.',
  },
  places: {
    setting: 'LIMIT_PLACES',
    value: 256,
    minimum: 64,
    maximum: 10_000,
    unit: 'requests',
    meaning: 'Requests handled at once. A request takes its place when it has arrived whole.',
    reason: 'More would wait longer than 80 ms for each other at the measured rate.',
  },
  placesPerAddress: {
    setting: 'LIMIT_PLACES_PER_ADDRESS',
    value: 192,
    minimum: 1,
    maximum: 10_000,
    unit: 'requests',
    meaning: 'The same for one address.',
    reason: 'Three quarters, so that a quarter is always left for other addresses.',
  },
  placesPerCaller: {
    setting: 'LIMIT_PLACES_PER_CALLER',
    value: 64,
    minimum: 1,
    maximum: 10_000,
    unit: 'requests',
    meaning: 'The same for one wallet, and for the keys of one partner.',
    reason: 'A quarter; the rate limits of a caller allow fewer on average.',
  },
  sockets: {
    setting: 'LIMIT_SOCKETS',
    value: 20_000,
    minimum: 1,
    maximum: 1_000_000,
    unit: 'sockets',
    meaning: 'Open WebSocket connections. One more is refused with 429.',
    reason: 'An idle socket takes about 10 kB, and one that lags behind up to 1 MiB.',
  },
  socketsPerAddress: {
    setting: 'LIMIT_SOCKETS_PER_ADDRESS',
    value: 2_500,
    minimum: 1,
    maximum: 1_000_000,
    unit: 'sockets',
    meaning: 'The same for one address.',
    reason: 'More than the 2,000 that the keys of one partner may open from one back end.',
  },
} as const satisfies Readonly<Record<string, ProcessLimit>>;

/** The limits of a running process. */
export type ProcessLimits = Readonly<Record<keyof typeof processLimits, number>>;

/** Return the limits with a value for each, by its definition. */
export function processLimitsOf(valueOf: (limit: ProcessLimit) => number): ProcessLimits {
  const values = Object.entries(processLimits).map(([name, limit]) => [name, valueOf(limit)]);
  return Object.fromEntries(values) as ProcessLimits & object;
}

/** Limits of a process without settings of its own. */
export const defaultLimits: ProcessLimits = processLimitsOf(({ value }) => value);
