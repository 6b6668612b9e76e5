import type { PricePips } from '@core/pricing';
import { shareReads } from '@core/runtime';
import type { VenueClient } from '@core/venue';

/** A book as the venue has it now, with the step of its prices. */
export interface ReadBook {
  readonly book: NonNullable<Awaited<ReturnType<VenueClient['book']>>>;
  readonly tickPricePips: PricePips;
}

/**
 * Reads the book of a token; null when the venue has none. Positions of one token that are due at one moment share a
 * look, which begins after each of them asked.
 */
export function bookReader(
  venue: Pick<VenueClient, 'book' | 'tickSize'>,
): (tokenId: string) => Promise<ReadBook | null> {
  return shareReads(async (tokenId) => {
    const book = await venue.book(tokenId);
    return book === null ? null : { book, tickPricePips: await venue.tickSize(tokenId) };
  });
}
