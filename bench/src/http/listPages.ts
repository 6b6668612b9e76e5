import { basePath } from '@core/wire';
import { applyLoad } from './loadClient.ts';
import type { ServerProcess } from './serverProcess.ts';
import { requestBytes, roundRobin } from './world.ts';

/** Pages that must not be slower with full tables. */
export const listPages = [
  '/markets?limit=25',
  '/markets?limit=100&expand=prices',
  '/markets?limit=25&sort=depth_desc',
  '/markets?limit=25&sort=discovered_at_desc',
  '/markets?limit=25&accepting_new_positions=true&expand=total_count',
  '/markets?limit=25&query=bitcoin',
  '/markets?limit=25&status=finalized',
  '/markets?limit=25&status=finalized&sort=discovered_at_desc',
  '/markets?limit=25&status=finalized&expand=total_count',
  '/markets?limit=25&status=finalized&query=finalized-004711',
  '/markets?limit=25&status=finalized&query=no%20such%20title',
  '/positions?limit=25&state=active',
  '/positions?limit=25&state=inactive',
] as const;

const observedMs = 3_000;

/** Return a GET of a page for each token. */
export function pageRequests(page: string, tokens: readonly string[]): readonly Buffer[] {
  return tokens.map((token) =>
    requestBytes({ method: 'GET', path: `${basePath}${page}`, headers: { authorization: `Bearer ${token}` } }),
  );
}

/** Return sorted latencies of a page in milliseconds: one request after the other, each of another wallet. */
export async function latenciesOf(
  service: ServerProcess,
  page: string,
  tokens: readonly string[],
): Promise<Float64Array> {
  const requestOf = roundRobin(pageRequests(page, tokens));
  const shape = { connectionCount: 1, durationMs: observedMs, ratePerSecond: null };
  const { latenciesMs, statuses } = await applyLoad({ port: service.port, requestOf }, shape);
  if (statuses.size !== 1 || !statuses.has(200)) throw new Error(`${page} answered ${[...statuses.keys()]}`);
  return latenciesMs;
}
