import { randomBytes } from 'node:crypto';
import { reject } from '@core/errors';
import { basePath, type RouteDefinition, type RouteName, routes } from '@core/wire';
import express, { type Express, type Request, type Response } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import type { Handlers, UntypedHandler } from './call.ts';
import { crossOrigin } from './crossOrigin.ts';
import { errorHandler } from './errorHandler.ts';
import { sendRejection } from './exchange.ts';
import { type Pipeline, type ServedRoute, serve, serveUnknown } from './serve.ts';

/** What the HTTP side reports about each request. */
export interface RequestObserver {
  finished(request: { route: string; status: number; code: string | null; durationMs: number }): void;
}

export interface AppOptions {
  readonly pipeline: Pipeline;
  readonly handlers: Handlers;
  readonly logger: Logger;
  readonly observer: RequestObserver;
  readonly trustProxy: readonly string[];
  /** Origins whose scripts may call the interface from a browser. */
  readonly corsOrigins: readonly string[];
  /** Null when ready, else what is missing. */
  readonly readiness: () => Promise<readonly string[]>;
}

/** Builds the Express application: every route of the table, the pages outside `/v1`, one error handler. */
export function createApp(options: AppOptions): Express {
  const { pipeline } = options;
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  app.set('case sensitive routing', true);
  app.set('trust proxy', options.trustProxy.length === 0 ? false : [...options.trustProxy]);
  app.use(helmet());
  app.use(introduce(options));
  app.use(crossOrigin(options.corsOrigins));
  // Express would answer OPTIONS by itself; it is a method like any other that no route has.
  app.options('/{*path}', async (request, response) => {
    if (request.path.startsWith(basePath)) await serveUnknown(pipeline, { request, response });
    else sendRejection(response, reject('not_found'));
  });
  for (const served of servedRoutes(options.handlers)) {
    const method = served.route.method === 'GET' ? 'get' : 'post';
    for (const path of [served.route.path, ...served.route.aliases]) {
      const names = parameterNamesOf(path);
      const canonical = parameterNamesOf(served.route.path);
      app[method](`${basePath}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`, async (request, response) => {
        // Handlers know a path parameter by its canonical name, whichever spelling of the path was called.
        const given = new Map(Object.entries(request.params));
        request.params = Object.fromEntries(
          canonical.map((name, index) => [name, given.get(names[index] ?? '') ?? '']),
        );
        response.locals['route'] = served.name;
        await serve(pipeline, served, { request, response });
      });
    }
  }
  app.use(basePath, async (request: Request, response: Response) => serveUnknown(pipeline, { request, response }));
  app.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  app.get('/readyz', async (_request, response) => {
    const missing = await options.readiness();
    response
      .status(missing.length === 0 ? 200 : 503)
      .json({ status: missing.length === 0 ? 'ready' : 'waiting', missing });
  });
  app.use((_request: Request, response: Response) => sendRejection(response, reject('not_found')));
  app.use(errorHandler(options.logger));
  return app;
}

/** Gives every request its id and writes one line when it is done. No header and no body is ever logged. */
function introduce({ logger, observer }: AppOptions): express.RequestHandler {
  return (request, response, next) => {
    const startedMs = performance.now();
    const requestId = `req_${randomBytes(12).toString('hex')}`;
    response.locals['requestId'] = requestId;
    response.set('Request-Id', requestId);
    response.on('finish', () => {
      const { route, code, callerKind } = response.locals;
      const durationMs = performance.now() - startedMs;
      const line = {
        requestId,
        method: request.method,
        route: route ?? 'unknown',
        status: response.statusCode,
        durationMs,
      };
      logger.info({ ...line, code: code ?? null, caller: callerKind ?? 'none' }, 'request');
      observer.finished({ route: line.route, status: response.statusCode, code: code ?? null, durationMs });
    });
    next();
  };
}

function servedRoutes(handlers: Handlers): readonly ServedRoute[] {
  const names = Object.keys(routes).filter((name): name is RouteName => name in routes);
  return names.map((name) => {
    const route: RouteDefinition = routes[name];
    const handler = handlers[name];
    const handle = handler === undefined ? null : untyped(handler);
    return { name, route, handle };
  });
}

function untyped(handler: NonNullable<Handlers[RouteName]>): UntypedHandler;
// The compiler has checked each handler against its own route; from here on the route is a value, not a type.
function untyped(handler: unknown): unknown {
  return handler;
}

function parameterNamesOf(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
}
