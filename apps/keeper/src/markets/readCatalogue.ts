import type { VenueClient, VenueMarket } from '@core/venue';

const pageSize = 500;
/** Conditions named in one request: as many as an address line takes. */
export const conditionsPerRequest = 50;

type Catalogue = Pick<VenueClient, 'cataloguePage'>;

export interface PassStep {
  readonly markets: readonly VenueMarket[];
  /** Tickers of the whole pass when this was its last page; null before that. */
  readonly completed: ReadonlySet<string> | null;
}

/**
 * Reads what trades now, one page at a call, and begins anew after the last. Finished markets are never read again:
 * there are ever more of them. A page that cannot be read ends the pass, because its cursor may be what is wrong.
 */
export class CataloguePass {
  readonly #venue: Catalogue;
  #cursor: string | null = null;
  #seen = new Set<string>();

  constructor(venue: Catalogue) {
    this.#venue = venue;
  }

  async next(): Promise<PassStep> {
    const cursor = this.#cursor;
    const seen = this.#seen;
    this.#begin();
    const at = cursor === null ? {} : { cursor };
    const { markets, nextCursor } = await this.#venue.cataloguePage({ closed: false, limit: pageSize, ...at });
    for (const { ticker } of markets) seen.add(ticker);
    if (nextCursor === null) return { markets, completed: seen };
    this.#cursor = nextCursor;
    this.#seen = seen;
    return { markets, completed: null };
  }

  #begin(): void {
    this.#cursor = null;
    this.#seen = new Set();
  }
}

/** These markets, whatever became of them; without those that the venue does not know. */
export async function readMarkets(venue: Catalogue, conditionIds: readonly string[]): Promise<readonly VenueMarket[]> {
  const found: VenueMarket[] = [];
  for (let start = 0; start < conditionIds.length; start += conditionsPerRequest) {
    const named = conditionIds.slice(start, start + conditionsPerRequest);
    // As many as were named fit on one page.
    found.push(...(await venue.cataloguePage({ conditionIds: named, limit: pageSize })).markets);
  }
  return found;
}
