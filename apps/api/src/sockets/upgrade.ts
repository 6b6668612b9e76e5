import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorTable, type Rejection, reject } from '@core/errors';
import type { LimitState, LimitStore } from '@core/store';
import { errorEnvelope, type Gateway, gateways, socketBasePath, socketProtocol, tokenProtocolPrefix } from '@core/wire';
import { type Caller, mayCall } from '../auth/authenticate.ts';
import type { CallerDirectory } from '../auth/callerDirectory.ts';
import type { Refusal } from '../http/call.ts';
import { isAllowedOrigin } from '../http/crossOrigin.ts';
import { bucketOf, rateHeadersOf, standardChargeOf } from '../http/rateLimit.ts';
import { recognise } from '../http/recognise.ts';
import { passes, retrySeconds } from '../http/respond.ts';
import { challengeOf, unauthorized } from '../http/unauthorized.ts';
import type { Handshakes } from './handshakes.ts';

export interface UpgradeOptions {
  readonly callers: CallerDirectory;
  readonly limits: LimitStore;
  readonly handshakes: Pick<Handshakes, 'take'>;
  /** Origins whose pages may connect; a client that is no browser sends none. */
  readonly allowedOrigins: ReadonlySet<string>;
  readonly isDraining: () => boolean;
}

/** Accepted upgrade request with its credential. */
export interface AdmittedRequest {
  readonly kind: 'admitted';
  readonly gateway: Gateway;
  readonly caller: Caller;
  /** The Authorization text, wherever it stood. */
  readonly authorization: string;
  /** ID of the last event received, or null. */
  readonly resumeFrom: string | null;
}

export interface RefusedRequest {
  readonly kind: 'refused';
  readonly status: number;
  readonly rejection: Rejection;
  readonly detail: string | undefined;
  /** Rate headers of the bucket that was charged or that refused. */
  readonly headers: Readonly<Record<string, string>>;
}

function refused(
  refusal: Rejection | Refusal,
  { status, headers = {} }: Partial<Pick<RefusedRequest, 'status' | 'headers'>> = {},
): RefusedRequest {
  const { rejection, detail } = refusal.kind === 'refusal' ? refusal : { rejection: refusal, detail: undefined };
  return { kind: 'refused', status: status ?? errorTable[rejection.code].status, rejection, detail, headers };
}

/** The refusal of a request for a socket by a bound or a bucket. */
export function throttled(state: LimitState): RefusedRequest {
  return refused(reject('too_many_requests'), { headers: rateHeadersOf([state]) });
}

/** The answer to a request that failed on our side. */
export function failedRequestOf(cause: unknown): RefusedRequest {
  return passes(cause) ? unavailable : refused(reject('internal_server_error'));
}

const unavailable = refused(reject('internal_server_error'), {
  status: errorTable.internal_server_error.transientStatus,
  headers: { 'Retry-After': retrySeconds },
});

const gatewayNames = Object.keys(gateways).filter((name): name is Gateway => name in gateways);

/** Decide about a request for a socket before anything is upgraded: the cheap refusals come first. */
export async function admit(
  options: UpgradeOptions,
  request: IncomingMessage,
  remoteAddress: string,
): Promise<AdmittedRequest | RefusedRequest> {
  // Null for an invalid address, which names no gateway.
  const address = URL.parse(request.url ?? '/', 'http://service');
  const gateway = gatewayNames.find((name) => address?.pathname === socketBasePath + gateways[name].path);
  if (address === null || gateway === undefined) return refused(reject('not_found'));
  if (options.isDraining()) return unavailable;
  const { origin } = request.headers;
  if (origin !== undefined && !isAllowedOrigin(options.allowedOrigins, origin))
    return refused(reject('unauthorized'), { status: 403 });
  const { limits } = options;
  const authorization = authorizationOf(request);
  const recognised = await recognise(options, { authorization, address: () => remoteAddress });
  if (recognised.kind === 'throttled') return throttled(recognised.state);
  const { identity } = recognised;
  const { auth } = gateways[gateway];
  if (authorization === undefined || !mayCall(identity, auth)) {
    const charge = standardChargeOf({ identity, remoteAddress: () => remoteAddress, throttle: 'standard' });
    const state = await limits.consume(bucketOf(charge), charge.subject);
    if (!state.allowed) return throttled(state);
    const refusal = unauthorized(auth, identity.kind === 'none' ? identity.fault : null);
    return refused(refusal, { headers: { ...rateHeadersOf([state]), 'WWW-Authenticate': challengeOf[auth] } });
  }
  const state = options.handshakes.take(identity);
  if (!state.allowed) return throttled(state);
  const resumeFrom = address.searchParams.get('resume_from');
  return { kind: 'admitted', gateway, caller: identity, authorization, resumeFrom };
}

/** The Authorization header, or the token among the subprotocols, where a browser puts it. */
function authorizationOf({ headers }: IncomingMessage): string | undefined {
  if (headers.authorization !== undefined) return headers.authorization;
  const offered = offeredProtocolsOf(headers['sec-websocket-protocol']);
  if (!offered.includes(socketProtocol)) return undefined;
  const token = offered.find((protocol) => protocol.startsWith(tokenProtocolPrefix));
  return token === undefined ? undefined : `Bearer ${token.slice(tokenProtocolPrefix.length)}`;
}

const offeredProtocolsOf = (header: string | undefined): readonly string[] =>
  (header ?? '').split(',').map((protocol) => protocol.trim());

/** Time for a refusal to be read. */
const refusalMs = 2_000;

/** Answer a request for a socket like any other refused request, and end the connection. */
export function refuse(stream: Duplex, origin: string, refusal: RefusedRequest): void {
  const { status, rejection, detail, headers } = refusal;
  const requestId = `req_${randomBytes(12).toString('hex')}`;
  const body = JSON.stringify(errorEnvelope(rejection, { origin, requestId, detail }));
  const head = [
    `HTTP/1.1 ${status} Refused`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Request-Id: ${requestId}`,
    ...Object.entries(headers).map(([name, text]) => `${name}: ${text}`),
    'Connection: close',
  ];
  // A client that neither reads nor closes would keep its half of the connection for ever.
  const deadline = setTimeout(() => stream.destroy(), refusalMs);
  stream.once('close', () => clearTimeout(deadline));
  stream.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => stream.destroy());
}
