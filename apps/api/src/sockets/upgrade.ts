import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorTable, type Rejection, reject } from '@core/errors';
import type { LimitStore } from '@core/store';
import { errorEnvelope, type Gateway, gateways, socketBasePath, socketProtocol, tokenProtocolPrefix } from '@core/wire';
import { type Caller, mayCall } from '../auth/authenticate.ts';
import type { CallerDirectory } from '../auth/callerDirectory.ts';
import type { Refusal } from '../http/call.ts';
import { isAllowedOrigin } from '../http/crossOrigin.ts';
import { addressChargeOf, type Charge, standardChargeOf } from '../http/rateLimit.ts';
import { passes } from '../http/respond.ts';
import { unauthorized } from '../http/unauthorized.ts';

export interface UpgradeOptions {
  readonly callers: CallerDirectory;
  readonly limits: LimitStore;
  /** Origins whose pages may connect; a client that is no browser sends none. */
  readonly allowedOrigins: ReadonlySet<string>;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly isDraining: () => boolean;
}

/** Who may come in, and with which credential. */
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
}

function refused(refusal: Rejection | Refusal, status?: number): RefusedRequest {
  const { rejection, detail } = refusal.kind === 'refusal' ? refusal : { rejection: refusal, detail: undefined };
  return { kind: 'refused', status: status ?? errorTable[rejection.code].status, rejection, detail };
}

/** The answer to a request that failed on our side. */
export function failedRequestOf(cause: unknown): RefusedRequest {
  return passes(cause) ? unavailable : refused(reject('internal_server_error'));
}

const unavailable = refused(reject('internal_server_error'), errorTable.internal_server_error.passingStatus);

/** Decides about a request for a socket before anything is upgraded: the cheap refusals come first. */
export async function admit(
  options: UpgradeOptions,
  request: IncomingMessage,
): Promise<AdmittedRequest | RefusedRequest> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://service');
  const gateway = (Object.keys(gateways) as Gateway[]).find(
    (name) => pathname === socketBasePath + gateways[name].path,
  );
  if (gateway === undefined) return refused(reject('not_found'));
  if (options.isDraining()) return unavailable;
  const { origin } = request.headers;
  if (origin !== undefined && !isAllowedOrigin(options.allowedOrigins, origin))
    return refused(reject('unauthorized'), 403);
  const remoteAddress = options.addressOf(request);
  const { callers, limits } = options;
  const authorization = authorizationOf(request);
  const byAddress = chargedTo(addressChargeOf(remoteAddress));
  if (!callers.isKnown(authorization) && limits.refusalOf(byAddress.bucket, byAddress.subject) !== null) {
    return refused(reject('too_many_requests'));
  }
  const identity = callers.peek(authorization) ?? (await callers.identify(authorization));
  const { auth } = gateways[gateway];
  if (authorization === undefined || !mayCall(identity, auth)) {
    const { bucket, subject } = chargedTo(
      standardChargeOf({ identity, remoteAddress: () => remoteAddress, throttle: 'standard' }),
    );
    const { allowed } = await limits.consume(bucket, subject);
    if (!allowed) return refused(reject('too_many_requests'));
    return refused(unauthorized(auth, identity.kind === 'none' ? identity.fault : null));
  }
  const resumeFrom = searchParams.get('resume_from');
  return { kind: 'admitted', gateway, caller: identity, authorization, resumeFrom };
}

function chargedTo({ name, subject, throttle }: Charge) {
  const bucket = { name, points: throttle.requests, windowMs: throttle.windowSeconds * 1_000 };
  return { bucket, subject };
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

/** Answers a request for a socket like any other refused request, and ends the connection. */
export function refuse(stream: Duplex, origin: string, { status, rejection, detail }: RefusedRequest): void {
  const requestId = `req_${randomBytes(12).toString('hex')}`;
  const body = JSON.stringify(errorEnvelope(rejection, { origin, requestId, detail }));
  const head = [
    `HTTP/1.1 ${status} Refused`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Request-Id: ${requestId}`,
    ...(status === 429 || status === 503 ? ['Retry-After: 5'] : []),
    'Connection: close',
  ];
  stream.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
