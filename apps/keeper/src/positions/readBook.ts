import { type PolicyConfig, type Route, routes, saleMarkOf } from '@core/policy';
import type { LiveBook } from '@core/position';
import { add, multiplyDivide, raw } from '@core/pricing';
import { shareReads } from '@core/runtime';
import { tokenRouteOf } from '@core/vault';
import type { VenueClient } from '@core/venue';
import type { DebtWatch } from '../liquidation/debtWatch.ts';

/** Reads the book of a token; null when the venue has none. */
export type BookReader = (tokenId: string) => Promise<LiveBook | null>;

export interface BookOptions {
  readonly venue: Pick<VenueClient, 'book' | 'tickSize'>;
  readonly feed: Pick<DebtWatch, 'markOf' | 'snapshotOf'>;
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
    const { saleBoundsOf, hasFillers } = routes[tokenRouteOf(route, tokenId)];
    const venueFee = feed.snapshotOf(tokenId)?.facts.venueFee ?? null;
    const { slipBps } = policy.model;
    const floorOf = (kind: 'liquidate' | 'close' | 'pricedClose') => {
      if (mark === null) return null;
      const { lowestPricePips, fillerCost } = saleBoundsOf({ kind, slipBps, markPricePips: mark, venueFee }, policy);
      // Price signers grant a size whose average is inside the bands of the vault, and a filler earns its margin.
      const marginBps = fillerCost === null ? 0n : raw(fillerCost.marginBps);
      return add(lowestPricePips, multiplyDivide(lowestPricePips, marginBps, 10_000n, 'up'));
    };
    return {
      bids,
      asks,
      tickPricePips,
      saleFloorPricePips: floorOf('liquidate'),
      ...(hasFillers && { closeFloors: { pricedPips: floorOf('pricedClose'), unpricedPips: floorOf('close') } }),
    };
  });
}
