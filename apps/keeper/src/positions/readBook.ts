import { minimumSaleLimitOf, type PolicyConfig, type Route, saleMarkOf } from '@core/policy';
import type { LiveBook } from '@core/position';
import { add, type PricePips, type RateBps } from '@core/pricing';
import { shareReads } from '@core/runtime';
import type { VenueClient } from '@core/venue';
import { positionRouteOf } from './positionRoute.ts';

/** Reads the book of a token; null when the venue has none. */
export type BookReader = (tokenId: string) => Promise<LiveBook | null>;

export interface BookOptions {
  readonly venue: Pick<VenueClient, 'book' | 'tickSize'>;
  readonly feed: { markOf(tokenId: string): PricePips | null };
  readonly policy: PolicyConfig;
  readonly route: Route;
}

/** Build a reader of books. Concurrent steps in one token share a read that begins after each of them requested it. */
export function bookReader({ venue, feed, policy, route }: BookOptions): BookReader {
  return shareReads(async (tokenId) => {
    const book = await venue.book(tokenId);
    if (book === null) return null;
    const tickPricePips = await venue.tickSize(tokenId);
    // A new book has no age; without asks, the last mark replaces the mid.
    const side = { book, bookAgeMs: 0, lastMidPricePips: feed.markOf(tokenId) };
    const mark = saleMarkOf(side, { tickPricePips, config: policy });
    const { bids, asks } = book;
    const floorOf = (bps: RateBps) => (mark === null ? null : minimumSaleLimitOf(mark, bps));
    if (positionRouteOf(route, tokenId) === 'direct')
      return { bids, asks, tickPricePips, saleFloorPricePips: floorOf(policy.model.slipBps) };
    // The limit of a grant is a tick below the average of its size, and inside the band of the vault.
    const { bandBps } = policy.grant;
    const aboveTick = (floor: PricePips | null) => floor && add(floor, tickPricePips);
    return {
      bids,
      asks,
      tickPricePips,
      saleFloorPricePips: aboveTick(floorOf(bandBps.liquidate)),
      closeFloors: {
        pricedPips: aboveTick(floorOf(bandBps.pricedClose)),
        unpricedPips: aboveTick(floorOf(bandBps.close)),
      },
    };
  });
}
