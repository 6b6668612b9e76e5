import { minimumSaleLimitOf, type PolicyConfig, type Route, saleEdgeOf, saleMarkOf } from '@core/policy';
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
    if (tokenRouteOf(route, tokenId) === 'direct') {
      const saleFloorPricePips = mark && minimumSaleLimitOf(mark, policy.model.slipBps);
      return { bids, asks, tickPricePips, saleFloorPricePips };
    }
    // Price signers grant a size whose average is inside the bands of the vault, and a filler earns its margin.
    const venueFee = feed.snapshotOf(tokenId)?.facts.venueFee ?? null;
    const { bandBps, fillerCost } = policy.grant;
    const grantFloorOf = (kind: 'liquidate' | 'close' | 'pricedClose') => {
      if (mark === null) return null;
      const edge =
        venueFee === null
          ? minimumSaleLimitOf(mark, bandBps[kind])
          : saleEdgeOf(kind, { markPricePips: mark, venueFee }, policy.grant);
      return add(edge, multiplyDivide(edge, raw(fillerCost.marginBps), 10_000n, 'up'));
    };
    return {
      bids,
      asks,
      tickPricePips,
      saleFloorPricePips: grantFloorOf('liquidate'),
      closeFloors: {
        pricedPips: grantFloorOf('pricedClose'),
        unpricedPips: grantFloorOf('close'),
      },
    };
  });
}
