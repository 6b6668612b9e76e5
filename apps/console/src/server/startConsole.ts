import type { IncomingMessage, ServerResponse } from 'node:http';
import { boundedServer, type Listening, type Logger, listen } from '@core/runtime';
import { isServiceError, Lev } from '@core/sdk';
import type { PageConfig } from '../pageConfig.ts';
import { type BuiltFile, builtFiles } from './builtFiles.ts';
import { consolePolicyOf, exitPolicy } from './contentPolicy.ts';
import {
  isLocalPath,
  type LocalOrigins,
  type LocalResponse,
  localHandler,
  streamPath,
  streamRefusalOf,
} from './localRoutes.ts';
import { OperateFeed } from './operateFeed.ts';
import { operateReadsOf } from './readOperateFacts.ts';
import { type SessionResponse, sessionHandler } from './sessionRoutes.ts';
import { Sessions } from './sessions.ts';
import { signatureCheck } from './signatures.ts';

export interface ConsoleOptions {
  /** Port to listen on; 0 selects a free one. */
  readonly port: number;
  /** Public origin of the console; null for a loopback port. */
  readonly origin: string | null;
  readonly partnerKey: string;
  readonly localOrigins: LocalOrigins;
  readonly page: PageConfig;
  readonly logger: Logger;
}

const cookieName = 'console_session';
const maxBodyBytes = 4_096;
/** Browsers open up to six connections each, and may read a page over a slow line. */
const browserLimits = {
  connections: 2_000,
  answerMs: 120_000,
  isStream: ({ url = '' }: IncomingMessage) => url === streamPath,
};

/** Serve the pages, their `config.json`, and the sessions that issue tokens to users. */
export async function startConsole({
  page,
  partnerKey,
  localOrigins,
  logger,
  ...options
}: ConsoleOptions): Promise<Listening> {
  const files = await builtFiles();
  const origins: string[] = [];
  const nowMs = (): number => Date.now();
  const handleSession = sessionHandler({
    sessions: new Sessions({ nowMs }, signatureCheck(page.rpcUrl)),
    tokens: new Lev({ baseUrl: page.apiUrl, apiKey: partnerKey }).tokens,
    origins,
    nowMs,
  });
  const handleLocal = localHandler({ localOrigins, origins });
  const feed = new OperateFeed({ reads: operateReadsOf(localOrigins, nowMs), nowMs, logger });
  const policy = consolePolicyOf(page);
  const config = JSON.stringify(page);
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(request.url ?? '/', 'http://console');
    response.setHeader('content-security-policy', pathname === '/exit.html' ? exitPolicy : policy);
    response.setHeader('x-content-type-options', 'nosniff');
    response.setHeader('referrer-policy', 'no-referrer');
    if (pathname === '/healthz') return sendJson(response, { status: 200, body: { status: 'ok' } });
    if (pathname === '/session' || pathname.startsWith('/session/')) {
      return sendJson(response, await handleSession(await readSessionRequest(request, pathname)), options.origin);
    }
    const { method = 'GET', headers } = request;
    if (pathname === streamPath) {
      const refusal = streamRefusalOf({ method, headers }, { localOrigins, origins, isFull: feed.isFull });
      return refusal === null ? openStream(response, feed) : sendLocal(response, refusal);
    }
    if (isLocalPath(pathname)) {
      const body = method === 'POST' ? await readJson(request) : null;
      return sendLocal(response, await handleLocal({ method, path: pathname, headers, body }));
    }
    if (method !== 'GET' && method !== 'HEAD') {
      return sendJson(response, { status: 405, body: { message: 'use GET for pages' } });
    }
    if (pathname === '/config.json') return void response.setHeader('content-type', 'application/json').end(config);
    const file = files.get(pathname);
    if (file === undefined) return sendJson(response, { status: 404, body: { message: 'page not found' } });
    sendFile(request, response, file);
  };
  const server = boundedServer((request, response) => {
    serve(request, response).catch((err: unknown) => {
      logger.error({ err }, 'request failed');
      const isUnavailable = isServiceError(err) && err.retryable;
      sendJson(response, {
        status: isUnavailable ? 503 : 500,
        body: { message: 'the service issued no token: try again' },
      });
    });
  }, browserLimits);
  const listening = await listen(server, { port: options.port });
  origins.push(...(options.origin === null ? [listening.url, localhostOf(listening.url)] : [options.origin]));
  logger.info({ url: listening.url }, 'serving');
  return {
    url: listening.url,
    close: () => {
      feed.close();
      return listening.close();
    },
  };
}

/** Send the feed to a page until it disconnects. */
function openStream(response: ServerResponse, feed: OperateFeed): void {
  response.once('close', () => feed.remove(response));
  response.once('error', () => feed.remove(response));
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  feed.add(response);
}

function sendLocal(response: ServerResponse, { status, contentType, text }: LocalResponse): void {
  response.writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store' }).end(text);
}

const localhostOf = (url: string): string => url.replace('127.0.0.1', 'localhost');

async function readSessionRequest(request: IncomingMessage, path: string) {
  const { method = 'GET', headers } = request;
  const cookieMatch = new RegExp(`(?:^|;\\s*)${cookieName}=([0-9a-f]{64})`).exec(headers.cookie ?? '');
  return {
    method,
    path,
    origin: headers.origin ?? null,
    host: headers.host ?? '',
    secret: cookieMatch?.[1] ?? null,
    body: method === 'POST' ? await readJson(request) : null,
  };
}

/** Read the body as JSON; null when it is invalid or too long. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request) if (text.length <= maxBodyBytes) text += String(chunk);
  try {
    return text.length > maxBodyBytes ? null : JSON.parse(text);
  } catch (cause) {
    if (cause instanceof SyntaxError) return null;
    throw cause;
  }
}

function sendJson(response: ServerResponse, answer: SessionResponse, origin: string | null = null): void {
  if (response.destroyed || response.headersSent) return;
  const { cookie } = answer;
  if (cookie !== undefined) {
    const secure = origin?.startsWith('https:') === true ? '; Secure' : '';
    const maxAge = cookie === null ? '; Max-Age=0' : '';
    response.setHeader(
      'set-cookie',
      `${cookieName}=${cookie ?? ''}; Path=/session; HttpOnly; SameSite=Strict${secure}${maxAge}`,
    );
  }
  response.writeHead(answer.status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(answer.body));
}

function sendFile(request: IncomingMessage, response: ServerResponse, file: BuiltFile): void {
  const isGzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  response.writeHead(200, {
    'content-type': file.contentType,
    'cache-control': file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    vary: 'accept-encoding',
    ...(isGzip && { 'content-encoding': 'gzip' }),
  });
  if (request.method === 'HEAD') response.end();
  else response.end(isGzip ? file.gzipped : file.body);
}
