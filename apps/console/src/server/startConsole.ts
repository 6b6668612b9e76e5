import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Listening, type Logger, listen } from '@core/runtime';
import { isServiceError, Lev } from '@core/sdk';
import type { PageConfig } from '../pageConfig.ts';
import { type BuiltFile, builtFiles } from './builtFiles.ts';
import { consolePolicyOf, exitPolicy } from './contentPolicy.ts';
import { isLocalPath, type LocalPlaces, localAnswerer } from './localRoutes.ts';
import { type SessionAnswer, sessionAnswerer } from './sessionRoutes.ts';
import { Sessions } from './sessions.ts';

export interface ConsoleOptions {
  /** 0 takes a free one. */
  readonly port: number;
  /** Origin under which people reach it; null for its own port of this machine. */
  readonly origin: string | null;
  readonly partnerKey: string;
  readonly places: LocalPlaces;
  readonly page: PageConfig;
  readonly logger: Logger;
}

const cookieName = 'console_session';
const maxBodyBytes = 4_096;

/** Serves the pages, `config.json` beside them, and the sessions that get users their tokens. */
export async function startConsole({
  page,
  partnerKey,
  places,
  logger,
  ...options
}: ConsoleOptions): Promise<Listening> {
  const files = await builtFiles();
  const origins: string[] = [];
  const nowMs = (): number => Date.now();
  const answerSession = sessionAnswerer({
    sessions: new Sessions({ nowMs }),
    tokens: new Lev({ baseUrl: page.apiUrl, apiKey: partnerKey }).tokens,
    origins,
    nowMs,
  });
  const answerLocal = localAnswerer({ places, origins });
  const policy = consolePolicyOf(page);
  const config = JSON.stringify(page);
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(request.url ?? '/', 'http://console');
    response.setHeader('content-security-policy', pathname === '/exit.html' ? exitPolicy : policy);
    response.setHeader('x-content-type-options', 'nosniff');
    response.setHeader('referrer-policy', 'no-referrer');
    if (pathname === '/healthz') return sendJson(response, { status: 200, body: { status: 'ok' } });
    if (pathname === '/session' || pathname.startsWith('/session/')) {
      return sendJson(response, await answerSession(await readSessionRequest(request, pathname)), options.origin);
    }
    if (isLocalPath(pathname)) {
      const { method = 'GET', headers } = request;
      const body = method === 'POST' ? await readJson(request) : null;
      const { status, contentType, text } = await answerLocal({ method, path: pathname, headers, body });
      response.writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store' }).end(text);
      return;
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return sendJson(response, { status: 405, body: { message: 'pages are read with GET' } });
    }
    if (pathname === '/config.json') return void response.setHeader('content-type', 'application/json').end(config);
    const file = files.get(pathname);
    if (file === undefined) return sendJson(response, { status: 404, body: { message: 'there is no such page' } });
    sendFile(request, response, file);
  };
  const server = createServer((request, response) => {
    serve(request, response).catch((err: unknown) => {
      logger.error({ err }, 'a request failed');
      const isAway = isServiceError(err) && err.retryable;
      sendJson(response, { status: isAway ? 503 : 500, body: { message: 'the service gave no token: try again' } });
    });
  });
  const listening = await listen(server, { port: options.port });
  origins.push(...(options.origin === null ? [listening.url, localhostOf(listening.url)] : [options.origin]));
  logger.info({ url: listening.url }, 'serving');
  return listening;
}

const localhostOf = (url: string): string => url.replace('127.0.0.1', 'localhost');

async function readSessionRequest(request: IncomingMessage, path: string) {
  const { method = 'GET', headers } = request;
  const found = new RegExp(`(?:^|;\\s*)${cookieName}=([0-9a-f]{64})`).exec(headers.cookie ?? '');
  return {
    method,
    path,
    origin: headers.origin ?? null,
    host: headers.host ?? '',
    secret: found?.[1] ?? null,
    body: method === 'POST' ? await readJson(request) : null,
  };
}

/** The body as JSON; null when it is none or too long. */
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

function sendJson(response: ServerResponse, answer: SessionAnswer, origin: string | null = null): void {
  if (response.destroyed || response.headersSent) return;
  const { cookie } = answer;
  if (cookie !== undefined) {
    const secure = origin?.startsWith('https:') === true ? '; Secure' : '';
    const kept = cookie === null ? '; Max-Age=0' : '';
    response.setHeader(
      'set-cookie',
      `${cookieName}=${cookie ?? ''}; Path=/session; HttpOnly; SameSite=Strict${secure}${kept}`,
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
