import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { alertTable, runbookOf } from '@core/runtime';

/** Origins of programs on the same machine; null for one that is not configured. */
export interface LocalOrigins {
  /** Origin of the venue simulator, whose control routes play failure scenarios. */
  readonly venueUrl: string | null;
  /** Origins of the operational endpoints of API and keeper. */
  readonly apiOperationsUrl: string | null;
  readonly keeperOperationsUrl: string | null;
  /** Origins of the metrics of fillers; empty where there are none. */
  readonly fillerOperationsUrls: readonly string[];
}

/** Parts of a request that decide about forwarding it. */
export interface LocalRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

export interface LocalResponse {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

/** Complete list of forwarded requests, with their paths at the simulator; a page reaches no other path of it. */
const routes: Readonly<Record<string, string>> = {
  '/venue/clock': '/control/clock',
  '/venue/scenarios': '/control/scenarios',
};
const forwardedMethods = ['GET', 'POST'] as const;

/** Headers that a reverse proxy adds. A request with one of them does not originate on this machine. */
const proxyHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

const refusal = (status: number, message: string): LocalResponse => ({
  status,
  contentType: 'application/json',
  text: JSON.stringify({ message }),
});

/** Path of the stream of operator data. */
export const streamPath = '/operate/stream';
/** Path below which the pages of the runbook are served, each under the name of its alert. */
const runbookPath = '/operate/runbook/';
const root = new URL('../../../../', import.meta.url);

export const isLocalPath = (path: string): boolean => path.startsWith('/venue/') || path.startsWith(runbookPath);

/** Build the handler of the runbook and of requests to the venue simulator, for callers of this machine only. */
export function localHandler({
  localOrigins,
  origins,
}: {
  readonly localOrigins: LocalOrigins;
  readonly origins: readonly string[];
}) {
  return async ({ method, path, headers, body }: LocalRequest): Promise<LocalResponse> => {
    if (path.startsWith(runbookPath)) return runbookPage({ method, path, headers }, { localOrigins, origins });
    const target = Object.hasOwn(routes, path) ? routes[path] : undefined;
    if (target === undefined || localOrigins.venueUrl === null) return refusal(404, 'route not found');
    const callerRefusal = callerRefusalOf({ method, headers }, { origins, methods: forwardedMethods });
    if (callerRefusal !== null) return callerRefusal;
    if (method === 'POST' && headers.origin === undefined)
      return refusal(403, 'available to pages of this machine only');
    return forward(`${new URL(localOrigins.venueUrl).origin}${target}`, method === 'POST' ? body : null);
  };
}

/** Return a page of the runbook to those who may see the alerts. An image with the programs alone has none. */
async function runbookPage(
  { path, ...request }: Omit<LocalRequest, 'body'>,
  state: Omit<StreamState, 'isFull'>,
): Promise<LocalResponse> {
  const callerRefusal = streamRefusalOf(request, { ...state, isFull: false });
  if (callerRefusal !== null) return callerRefusal;
  const alert = alertTable.find(({ name }) => path === `${runbookPath}${name}`);
  const page = alert === undefined ? null : new URL(runbookOf(alert.name), root);
  if (page === null || !existsSync(page)) return refusal(404, 'page not found');
  return { status: 200, contentType: 'text/plain; charset=utf-8', text: await readFile(page, 'utf8') };
}

/** Return the refusal of a request for the stream of operator data; null when it is allowed. */
export function streamRefusalOf(
  request: Pick<LocalRequest, 'method' | 'headers'>,
  { localOrigins, origins, isFull }: StreamState,
): LocalResponse | null {
  const { apiOperationsUrl, keeperOperationsUrl } = localOrigins;
  if (apiOperationsUrl === null && keeperOperationsUrl === null) return refusal(404, 'route not found');
  const callerRefusal = callerRefusalOf(request, { origins, methods: ['GET'] });
  return callerRefusal ?? (isFull ? refusal(503, 'too many pages watch: close one') : null);
}

interface StreamState {
  readonly localOrigins: LocalOrigins;
  readonly origins: readonly string[];
  /** True when no further viewer is accepted. */
  readonly isFull: boolean;
}

/** Refuse pages of other sites, foreign host names that resolve to loopback, and requests through a reverse proxy. */
function callerRefusalOf(
  { method, headers }: Pick<LocalRequest, 'method' | 'headers'>,
  { origins, methods }: { readonly origins: readonly string[]; readonly methods: readonly string[] },
): LocalResponse | null {
  if (!isOfThisMachine(headers, origins)) return refusal(403, 'available to pages of this machine only');
  return methods.includes(method) ? null : refusal(405, `use ${methods.join(' or ')}`);
}

function isOfThisMachine(headers: IncomingHttpHeaders, origins: readonly string[]): boolean {
  const isHostAllowed = origins.some((origin) => new URL(origin).host === headers.host);
  const isOriginAllowed = headers.origin === undefined || origins.includes(headers.origin);
  return isHostAllowed && isOriginAllowed && proxyHeaders.every((name) => headers[name] === undefined);
}

/** Timeout of a forwarded request. A clock jump responds only after every follower has processed it. */
const forwardTimeoutMs = 60_000;

async function forward(url: string, body: unknown): Promise<LocalResponse> {
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  try {
    const response = await fetch(url, {
      ...(body !== null && post),
      redirect: 'error',
      signal: AbortSignal.timeout(forwardTimeoutMs),
    });
    const contentType = response.headers.get('content-type') ?? 'text/plain';
    return { status: response.status, contentType, text: await response.text() };
  } catch (cause) {
    // Errors of fetch: no connection, or a timeout.
    if (!(cause instanceof TypeError || cause instanceof DOMException)) throw cause;
    return refusal(502, `${new URL(url).host} does not respond`);
  }
}
