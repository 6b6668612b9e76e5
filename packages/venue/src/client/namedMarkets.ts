import type { VenueMarket } from '@core/market';
import type { VenueClient } from '../port/venueClient.ts';
import { isVenueFault, type VenueFault } from '../port/venueFault.ts';

/** Records requested per page; the venue may send fewer on any page. */
const pageRecords = 500;
/** Maximum number of pages of one request: the venue may make them arbitrarily short. */
const maxPages = 20;
/** Conditions of one request: as many as fit in a URL. */
export const conditionsPerRequest = 50;

type Catalogue = Pick<VenueClient, 'cataloguePage'>;

/** Markets read by condition. */
export interface NamedMarkets {
  readonly markets: readonly VenueMarket[];
  /** First fault of a request whose markets are missing; null without one. */
  readonly fault: VenueFault | null;
}

/**
 * Read markets by condition in any status, except those that the venue does not have or refuses to return. A failing
 * request does not block the others.
 */
export async function readNamedMarkets(venue: Catalogue, conditionIds: readonly string[]): Promise<NamedMarkets> {
  const markets: VenueMarket[] = [];
  let fault: VenueFault | null = null;
  for (let start = 0; start < conditionIds.length; start += conditionsPerRequest) {
    try {
      markets.push(...(await readNamed(venue, conditionIds.slice(start, start + conditionsPerRequest))));
    } catch (error) {
      if (!isVenueFault(error)) throw error;
      fault ??= error;
    }
  }
  return { markets, fault };
}

/** Read one request of conditions; a refused request is bisected down to single conditions. */
async function readNamed(venue: Catalogue, conditionIds: readonly string[]): Promise<readonly VenueMarket[]> {
  try {
    const markets = await readPages(venue, { conditionIds });
    const readIds = new Set<string | undefined>(markets.map(({ conditionId }) => conditionId?.toLowerCase()));
    // A venue may omit finished markets unless they are requested.
    const missingIds = conditionIds.filter((conditionId) => !readIds.has(conditionId.toLowerCase()));
    return missingIds.length === 0
      ? markets
      : [...markets, ...(await readPages(venue, { conditionIds: missingIds, closed: true }))];
  } catch (error) {
    if (!isVenueFault(error) || error.retryable) throw error;
    if (conditionIds.length <= 1) return [];
    const middle = Math.ceil(conditionIds.length / 2);
    const first = await readNamed(venue, conditionIds.slice(0, middle));
    return [...first, ...(await readNamed(venue, conditionIds.slice(middle)))];
  }
}

/** Read all pages of markets by condition. */
async function readPages(
  venue: Catalogue,
  query: { readonly conditionIds: readonly string[]; readonly closed?: boolean },
): Promise<readonly VenueMarket[]> {
  const markets: VenueMarket[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < maxPages; pages += 1) {
    const page: Awaited<ReturnType<Catalogue['cataloguePage']>> = await venue.cataloguePage({
      ...query,
      limit: pageRecords,
      ...(cursor === null ? {} : { cursor }),
    });
    markets.push(...page.markets);
    cursor = page.nextCursor;
    if (cursor === null || markets.length >= query.conditionIds.length) break;
  }
  return markets;
}
