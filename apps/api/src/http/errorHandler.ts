import { Fault, type Rejection, reject } from '@core/errors';
import type { ErrorRequestHandler } from 'express';
import type { Logger } from 'pino';
import { sendRejection } from './exchange.ts';

/**
 * One of the two catches of the service: whatever a request throws ends here. A fault is the world's, anything else
 * is a bug; the caller sees one code for both, the log has the whole chain of causes.
 */
export function errorHandler(logger: Logger): ErrorRequestHandler {
  // oxlint-disable-next-line eslint/max-params -- Express tells an error handler by its four parameters.
  return (cause: unknown, request, response, next) => {
    if (response.headersSent) {
      next(cause);
      return;
    }
    const requestId = String(response.locals['requestId']);
    // The client went away while its body was read: nobody is left to answer.
    if (request.destroyed && !request.complete) return;
    const refusal = refusalOf(cause);
    if (refusal === null) {
      const kind = cause instanceof Fault ? 'fault' : 'bug';
      logger.error({ err: cause, requestId, kind, path: request.path }, 'request failed');
    }
    sendRejection(response, refusal ?? reject('internal_server_error'));
  };
}

/** Percent signs that decode to nothing name nothing. */
function refusalOf(cause: unknown): Rejection | null {
  return cause instanceof URIError ? reject('not_found') : null;
}
