import type { VenueClient, VenueMarket } from '@core/venue';

const pageSize = 500;
/** Conditions named in one request: as many as an address line takes. */
const conditionsPerRequest = 50;

type Catalogue = Pick<VenueClient, 'cataloguePage'>;
type CatalogueQuery = Parameters<VenueClient['cataloguePage']>[0];

/** What trades now. Finished markets are never read again: there are ever more of them. */
export function readOpenMarkets(venue: Catalogue): Promise<readonly VenueMarket[]> {
  return readPages(venue, { closed: false });
}

/** These markets, whatever became of them; without those that the venue does not know. */
export async function readMarkets(venue: Catalogue, conditionIds: readonly string[]): Promise<readonly VenueMarket[]> {
  const found: VenueMarket[] = [];
  for (let start = 0; start < conditionIds.length; start += conditionsPerRequest) {
    const named = conditionIds.slice(start, start + conditionsPerRequest);
    found.push(...(await readPages(venue, { conditionIds: named })));
  }
  return found;
}

async function readPages(
  venue: Catalogue,
  query: Omit<CatalogueQuery, 'limit' | 'cursor'>,
): Promise<readonly VenueMarket[]> {
  const markets: VenueMarket[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<VenueClient['cataloguePage']>> = await venue.cataloguePage({
      ...query,
      limit: pageSize,
      ...(cursor === null ? {} : { cursor }),
    });
    markets.push(...page.markets);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return markets;
}
