import type { IncomingHttpHeaders } from 'node:http';

/** Where programs of this machine answer; null for one that is not there. */
export interface LocalPlaces {
  /** Origin of a venue simulator, whose control routes break things on purpose. */
  readonly venueUrl: string | null;
  /** Origins of the ports on which API and keeper show how they are doing. */
  readonly apiOperationsUrl: string | null;
  readonly keeperOperationsUrl: string | null;
}

/** A request for one of them, as far as it matters here. */
export interface LocalRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

export interface LocalAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

interface LocalRoute {
  readonly methods: readonly string[];
  readonly place: keyof LocalPlaces;
  /** Path at the program behind it. */
  readonly to: string;
}

const read = ['GET'];
const readAndPlay = ['GET', 'POST'];

/** Everything that is passed on; no other path of these programs can be reached through a page. */
const routes: Readonly<Record<string, LocalRoute>> = {
  '/venue/clock': { methods: readAndPlay, place: 'venueUrl', to: '/control/clock' },
  '/venue/scenarios': { methods: readAndPlay, place: 'venueUrl', to: '/control/scenarios' },
  '/operate/api/readyz': { methods: read, place: 'apiOperationsUrl', to: '/readyz' },
  '/operate/api/metrics': { methods: read, place: 'apiOperationsUrl', to: '/metrics' },
  '/operate/api/partners': { methods: read, place: 'apiOperationsUrl', to: '/partners' },
  '/operate/keeper/readyz': { methods: read, place: 'keeperOperationsUrl', to: '/readyz' },
  '/operate/keeper/metrics': { methods: read, place: 'keeperOperationsUrl', to: '/metrics' },
};

/** Headers that a web server in front adds: who asks through one is not at this machine. */
const passedOnHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

const refusal = (status: number, message: string): LocalAnswer => ({
  status,
  contentType: 'application/json',
  text: JSON.stringify({ message }),
});

export const isLocalPath = (path: string): boolean => /^\/(venue|operate)\//.test(path);

/**
 * Passes requests of a page on to programs of this machine. It answers callers of this machine alone: a page of
 * another site, a name that someone else points at the loopback address, and whatever comes through a web server in
 * front are refused.
 */
export function localAnswerer({
  places,
  origins,
}: {
  readonly places: LocalPlaces;
  readonly origins: readonly string[];
}) {
  return async ({ method, path, headers, body }: LocalRequest): Promise<LocalAnswer> => {
    const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
    const place = route === undefined ? null : places[route.place];
    if (route === undefined || place === null) return refusal(404, 'there is no such route');
    if (!isOfThisMachine(headers, origins)) return refusal(403, 'this answers pages of this machine alone');
    if (!route.methods.includes(method)) return refusal(405, `use ${route.methods.join(' or ')}`);
    if (method === 'POST' && headers.origin === undefined)
      return refusal(403, 'this answers pages of this machine alone');
    return passOn(`${new URL(place).origin}${route.to}`, method === 'POST' ? body : null);
  };
}

function isOfThisMachine(headers: IncomingHttpHeaders, origins: readonly string[]): boolean {
  const isNamed = origins.some((origin) => new URL(origin).host === headers.host);
  const isOurs = headers.origin === undefined || origins.includes(headers.origin);
  return isNamed && isOurs && passedOnHeaders.every((name) => headers[name] === undefined);
}

/** A jump of the clock waits until every follower has seen it. */
const answerTimeoutMs = 60_000;

async function passOn(url: string, body: unknown): Promise<LocalAnswer> {
  const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  try {
    const response = await fetch(url, {
      ...(body !== null && sent),
      signal: AbortSignal.timeout(answerTimeoutMs),
    });
    const contentType = response.headers.get('content-type') ?? 'text/plain';
    return { status: response.status, contentType, text: await response.text() };
  } catch (cause) {
    // What fetch throws when nothing answers, or not in time.
    if (!(cause instanceof TypeError || cause instanceof DOMException)) throw cause;
    return refusal(502, `${new URL(url).host} does not answer`);
  }
}
