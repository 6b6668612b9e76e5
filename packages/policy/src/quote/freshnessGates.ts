import { reject } from '@core/errors';
import type { Gate } from './gate.ts';
import type { QuoteContext } from './quoteContext.ts';

/** A missing side has a code of its own, checked next; the mid's age and average only follow from it. */
function isTwoSided({ token }: QuoteContext): boolean {
  return token.book !== null && token.book.bids.length > 0 && token.book.asks.length > 0;
}

function ageParams({ snapshot }: QuoteContext, ageMs: number) {
  return { last_update_age_ms: ageMs, market_id: snapshot.facts.marketId };
}

// Older data is not worse data but none: a price that was not confirmed for seconds may be the one before the news.
// The order is that of the sources: the book itself, its mid, what the odds depend on, then the average over all.
export const freshnessGates: readonly Gate[] = [
  {
    name: 'book_age',
    needs: 'market',
    codes: ['quote_entry_order_book_stale'],
    check: (context) => {
      const ageMs = context.token.bookAgeMs ?? 0;
      return ageMs > context.config.ages.maxBookAgeMs
        ? reject('quote_entry_order_book_stale', ageParams(context, ageMs))
        : null;
    },
  },
  {
    // A book may be fresh and have had one side for long; then its mid is old.
    name: 'price_age',
    needs: 'market',
    codes: ['quote_entry_price_stale'],
    check: (context) => {
      const ageMs = context.token.priceAgeMs ?? 0;
      return isTwoSided(context) && ageMs > context.config.ages.maxPriceAgeMs
        ? reject('quote_entry_price_stale', ageParams(context, ageMs))
        : null;
    },
  },
  {
    // The odds of an hourly market follow spot within a second: a book may lag behind a silent feed.
    name: 'spot_age',
    needs: 'market',
    codes: ['quote_entry_crypto_price_stale'],
    check: (context) => {
      const { facts, reference } = context.snapshot;
      return facts.category === 'crypto' && reference !== null && reference.ageMs > context.config.ages.maxSpotAgeMs
        ? reject('quote_entry_crypto_price_stale', ageParams(context, reference.ageMs))
        : null;
    },
  },
  {
    name: 'score_age',
    needs: 'market',
    codes: ['quote_entry_sport_data_stale'],
    check: (context) => {
      const { reference } = context.snapshot;
      // Before the game nothing depends on the score; a sport without a feed depends on its schedule.
      return context.phase?.kind === 'in_play' &&
        reference !== null &&
        reference.ageMs > context.config.ages.maxSportAgeMs
        ? reject('quote_entry_sport_data_stale', ageParams(context, reference.ageMs))
        : null;
    },
  },
  {
    // The mark of an opening is the lowest of mid, average and last trade; without the average a single order sets it.
    name: 'twap',
    needs: 'market',
    codes: ['quote_twap_data_unavailable', 'quote_twap_data_stale'],
    check: (context) => {
      if (!isTwoSided(context)) return null;
      const { twap } = context.token;
      const ageMs = twap.lastSampleAgeMs;
      if (ageMs !== null && ageMs > context.config.ages.maxTwapSampleAgeMs) return reject('quote_twap_data_stale');
      return twap.pricePips === null || ageMs === null ? reject('quote_twap_data_unavailable') : null;
    },
  },
];
