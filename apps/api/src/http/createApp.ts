import { reject } from '@core/errors';
import { type Readiness, randomHex } from '@core/runtime';
import { basePath, buildAsyncApi, type RouteDefinition, type RouteName, routes } from '@core/wire';
import express, { type Express, type Request, type Response } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import type { Handlers, ReservingHandlers, UntypedHandler, UntypedReservingHandler } from './call.ts';
import { crossOrigin } from './crossOrigin.ts';
import { parsedReads } from './parsedReads.ts';
import { serve, serveUnknown } from './pipeline.ts';
import { errorHandler, sendRejection } from './respond.ts';
import type { Pipeline, ServedRoute } from './served.ts';

/** Report of each finished request. */
export interface RequestObserver {
  finished(request: { route: string; status: number; code: string | null; durationMs: number }): void;
}

export interface AppOptions {
  readonly pipeline: Pipeline;
  readonly handlers: Handlers;
  readonly reservingHandlers: ReservingHandlers;
  readonly logger: Logger;
  readonly observer: RequestObserver;
  readonly trustProxy: readonly string[];
  /** Origins whose scripts may call the interface from a browser. */
  readonly corsOrigins: readonly string[];
  readonly readiness: () => Promise<Readiness>;
  /** Add the documents beside the interface. */
  readonly servePages: (app: Express) => void;
  /** Origin under which clients know the service, without a slash at the end. */
  readonly publicOrigin: () => string;
}

/** Build the Express application: every route of the table, the pages outside `/v1`, one error handler. */
export function createApp(options: AppOptions): Express {
  const { pipeline } = options;
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  app.set('case sensitive routing', true);
  // A path with a slash too many names nothing: `/markets/` is a market without a name, not the list.
  app.set('strict routing', true);
  app.set('trust proxy', options.trustProxy.length === 0 ? false : [...options.trustProxy]);
  app.use(hardened());
  app.use(introduce(options));
  app.use(crossOrigin(options.corsOrigins));
  app.use(async (request, response, next) => {
    if (isDecodable(request.path)) next();
    else await serveUnreadable(pipeline, { request, response });
  });
  // Express would answer OPTIONS on its own; here it is a method that no route has.
  app.options('/{*path}', (request, response) => serveUnreadable(pipeline, { request, response }));
  const routed = servedRoutes(options);
  app.use(serveNamed(pipeline, routed));
  for (const servedRoute of routed) {
    const method = servedRoute.route.method === 'GET' ? 'get' : 'post';
    for (const path of [servedRoute.route.path, ...servedRoute.route.aliases]) {
      const names = parameterNamesOf(path);
      if (names.length === 0) continue;
      const canonical = parameterNamesOf(servedRoute.route.path);
      app[method](`${basePath}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`, async (request, response) => {
        // Handlers know a path parameter by its canonical name, whichever spelling of the path was called.
        const values = new Map(Object.entries(request.params));
        request.params = Object.fromEntries(
          canonical.map((name, index) => [name, values.get(names[index] ?? '') ?? '']),
        );
        response.locals['route'] = servedRoute.name;
        await serve(pipeline, servedRoute, { request, response });
      });
    }
  }
  app.use(basePath, async (request: Request, response: Response) => serveUnknown(pipeline, { request, response }));
  const asyncApi = JSON.stringify(buildAsyncApi());
  app.get('/asyncapi.json', (_request, response) => {
    response.type('application/json').send(asyncApi);
  });
  options.servePages(app);
  app.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  app.get('/readyz', async (_request, response) => {
    const { isReady, detail } = await options.readiness();
    response.status(isReady ? 200 : 503).json(detail);
  });
  app.use((_request: Request, response: Response) => sendRejection(response, reject('not_found')));
  app.use(errorHandler(options.logger));
  return app;
}

/** Answer what no route can match; only what lies under the interface is charged. */
async function serveUnreadable(
  pipeline: Pipeline,
  exchange: { readonly request: Request; readonly response: Response },
): Promise<void> {
  if (exchange.request.path.startsWith(basePath)) await serveUnknown(pipeline, exchange);
  else sendRejection(exchange.response, reject('not_found'));
}

/** False for percent signs that decode to nothing: they name nothing, and Express would not route them. */
function isDecodable(path: string): boolean {
  if (!path.includes('%')) return true;
  try {
    decodeURIComponent(path);
    return true;
  } catch (cause) {
    if (cause instanceof URIError) return false;
    throw cause;
  }
}

/** The headers of helmet are the same for every answer: they are taken from the first one. */
function hardened(): express.RequestHandler {
  const harden = helmet();
  let headers: Map<string, string> | null = null;
  return (request, response, next) => {
    if (headers !== null) {
      response.setHeaders(headers);
      return next();
    }
    harden(request, response, (cause) => {
      headers = new Map(Object.entries(response.getHeaders()).map(([name, text]) => [name, String(text)]));
      next(cause);
    });
  };
}

/** Give every request its id and write one line when it is done. No header and no body is ever logged. */
function introduce({ logger, observer, publicOrigin }: AppOptions): express.RequestHandler {
  return (request, response, next) => {
    const startedMs = performance.now();
    const requestId = `req_${randomHex(12)}`;
    response.locals['requestId'] = requestId;
    response.locals['origin'] = publicOrigin();
    response.set('Request-Id', requestId);
    response.on('finish', () => {
      const { route, code, callerKind, trace } = response.locals;
      const durationMs = performance.now() - startedMs;
      const line = {
        requestId,
        method: request.method,
        route: route ?? 'unknown',
        status: response.statusCode,
        durationMs,
      };
      logger.info({ ...line, code: code ?? null, caller: callerKind ?? 'none', ...trace }, 'request');
      observer.finished({ route: line.route, status: response.statusCode, code: code ?? null, durationMs });
    });
    next();
  };
}

/** Serve the paths without parameters, the busy ones, by name: Express would try one route after the other. */
function serveNamed(pipeline: Pipeline, routed: readonly ServedRoute[]): express.RequestHandler {
  const byName = new Map<string, ServedRoute>();
  for (const servedRoute of routed) {
    for (const path of [servedRoute.route.path, ...servedRoute.route.aliases]) {
      if (!path.includes('{')) byName.set(`${servedRoute.route.method} ${basePath}${path}`, servedRoute);
    }
  }
  return async (request, response, next) => {
    // HEAD asks for what GET would answer.
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const servedRoute = byName.get(`${method} ${request.path}`);
    if (servedRoute === undefined) return next();
    response.locals['route'] = servedRoute.name;
    await serve(pipeline, servedRoute, { request, response });
  };
}

function servedRoutes({ handlers, reservingHandlers }: AppOptions): readonly ServedRoute[] {
  const names = Object.keys(routes).filter((name): name is RouteName => name in routes);
  const byName: Partial<Record<RouteName, Handlers[keyof Handlers]>> = handlers;
  const reservingByName: Partial<Record<RouteName, ReservingHandlers[keyof ReservingHandlers]>> = reservingHandlers;
  return names.map((name) => {
    const route: RouteDefinition = routes[name];
    const [handler, reserving] = [byName[name], reservingByName[name]];
    return {
      name,
      route,
      handle: handler === undefined ? null : untyped(handler),
      handleReserving: reserving === undefined ? null : untypedReserving(reserving),
      parseRead: parsedReads(route),
    };
  });
}

function untyped(handler: Handlers[keyof Handlers]): UntypedHandler;
// The compiler has checked each handler against its own route; from here on the route is a value, not a type.
function untyped(handler: unknown): unknown {
  return handler;
}

function untypedReserving(handler: ReservingHandlers[keyof ReservingHandlers]): UntypedReservingHandler;
function untypedReserving(handler: unknown): unknown {
  return handler;
}

function parameterNamesOf(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
}
