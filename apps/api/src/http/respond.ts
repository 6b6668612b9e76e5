import { type ErrorCode, errorTable, Fault, type Rejection, reject } from '@core/errors';
import { isDatabaseFault } from '@core/store';
import { errorEnvelope, fieldAtFault, type RouteName, routes } from '@core/wire';
import type { ErrorRequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import type { Refusal } from './call.ts';
import { encodedFor, isKnownToClient } from './encoded.ts';
import type { PageBytes } from './pageCache.ts';
import type { Exchange } from './served.ts';
import { challengeOf } from './unauthorized.ts';

/** Send a refusal: status and envelope of its code, with the field at fault where code or request name one. */
export function sendRejection(
  response: Response,
  refused: Rejection | Refusal,
  status: number = errorTable[codeOf(refused)].status,
): void {
  const { rejection, detail, param } =
    refused.kind === 'refusal'
      ? refused
      : { rejection: refused, detail: undefined, param: paramOf(response.locals['route'], refused.code) };
  response.locals['code'] = rejection.code;
  const origin = String(response.locals['origin']);
  const requestId = String(response.locals['requestId']);
  const envelope = errorEnvelope(rejection, { origin, requestId, detail, param });
  if (status === unauthenticated) response.set('WWW-Authenticate', challengeFor(response.locals['route']));
  if (status === unavailable) response.set('Retry-After', retrySeconds);
  response.status(status).json(envelope);
}

const unauthenticated = 401;
const unavailable = 503;
/** `Retry-After` of a transient failure: the first step of the documented back-off. */
export const retrySeconds = '1';

function codeOf(refused: Rejection | Refusal): ErrorCode {
  return refused.kind === 'refusal' ? refused.rejection.code : refused.code;
}

function paramOf(name: unknown, code: ErrorCode): string | null {
  return isRouteName(name) ? fieldAtFault(routes[name], code) : null;
}

const challengeFor = (name: unknown): string => challengeOf[isRouteName(name) ? routes[name].auth : 'public'];

function isRouteName(name: unknown): name is RouteName {
  return typeof name === 'string' && Object.hasOwn(routes, name);
}

/** Written as Express would, which looks the type up and parses it for each answer. */
const jsonType = 'application/json; charset=utf-8';

/** Send the answer of a request that changes something: it has no tag, because it is not asked for again. */
export function sendJson(response: Response, status: number, json: string): void {
  response.status(status).setHeader('Content-Type', jsonType).end(json);
}

/** Send a page whose bytes are ready, encoded for the client, or its tag alone to a client that has it already. */
export async function sendPage(exchange: Exchange, status: number, page: PageBytes): Promise<void> {
  const { response } = exchange;
  if (isKnownToClient(exchange, page.etag)) {
    response.vary('Accept-Encoding').set('ETag', page.etag).status(304).end();
    return;
  }
  const { bytes, etag } = await encodedFor(exchange, page);
  response.set('ETag', etag).status(status).setHeader('Content-Type', jsonType).end(bytes);
}

/** True for a failure of the world that the same request need not meet again: a database away or out of connections. */
export function passes(cause: unknown): boolean {
  return (cause instanceof Fault && cause.retryable) || isDatabaseFault(cause);
}

/**
 * One of the two catches of the service: whatever a request throws ends here. A fault is the world's, anything else
 * is a bug; the caller sees one code for both, the log has the whole chain of causes. A fault that passes by itself has
 * a status of its own and says when to come back.
 */
export function errorHandler(logger: Logger): ErrorRequestHandler {
  // oxlint-disable-next-line eslint/max-params -- Express knows an error handler by its four parameters.
  return (cause: unknown, request, response, next) => {
    if (response.headersSent) {
      next(cause);
      return;
    }
    const requestId = String(response.locals['requestId']);
    // The client went away while its body was read: there is no one left to answer.
    if (request.destroyed && !request.complete) return;
    const isTransient = passes(cause);
    const kind = isTransient || cause instanceof Fault ? 'fault' : 'bug';
    logger.error({ err: cause, requestId, kind, path: request.path }, 'request failed');
    const { status, transientStatus } = errorTable.internal_server_error;
    sendRejection(response, reject('internal_server_error'), isTransient ? transientStatus : status);
  };
}
