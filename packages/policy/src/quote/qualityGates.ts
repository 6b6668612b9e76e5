import { reject } from '@core/errors';
import {
  type BookLevel,
  compare,
  constants,
  estimatedLiquidationPriceOf,
  rateBps,
  raw,
  subtract,
  type UsdPips,
} from '@core/pricing';
import { minimumSalePriceOf, neededDepthOf, saleDepthOf, sizedEntryOf } from '../leverage/sideModel.ts';
import { isBreakerTripped } from '../market/marks.ts';
import type { Gate } from './gate.ts';
import type { QuoteContext } from './quoteContext.ts';

/** Best ask and bid of a two-sided book, or null. */
function bestOf({ token }: QuoteContext): { readonly ask: BookLevel; readonly bid: BookLevel } | null {
  const ask = token.book?.asks[0];
  const bid = token.book?.bids[0];
  return ask === undefined || bid === undefined ? null : { ask, bid };
}

/**
 * Return the notional a depth rule is checked at: the requested one when it clears and is to fill unchanged; otherwise
 * the minimum, because the ladder then finds the size that the rule allows.
 */
function judgedNotionalOf({ request, terms, clearableNotionalUsdPips }: QuoteContext): UsdPips {
  const isFixed = !request.allowRevision && !request.allowPartialFill;
  const isClearable = compare(request.notionalUsdPips, clearableNotionalUsdPips) <= 0;
  return isFixed && isClearable ? request.notionalUsdPips : terms.minNotionalUsdPips;
}

// Without bids nothing bought could be sold again, without asks there is nothing to buy: two answers, as the spec has.
function sidednessOf({ token }: QuoteContext) {
  const hasAsks = (token.book?.asks.length ?? 0) > 0;
  const hasBids = (token.book?.bids.length ?? 0) > 0;
  if (hasAsks && hasBids) return null;
  return hasAsks || hasBids ? reject('quote_entry_book_one_sided') : reject('notional_selector_empty_order_book');
}

// Asks as a multiple of the size: what is bought pushes the price, and the mark of the opening follows it.
function depthOf(context: QuoteContext) {
  const { model, config } = context;
  if (model === null) return null;
  const minimumDepth = neededDepthOf(judgedNotionalOf(context), config);
  return compare(model.askDepthUsdPips, minimumDepth) >= 0
    ? null
    : reject('quote_entry_depth_too_low', {
        current_depth_usd_pips: model.askDepthUsdPips,
        min_depth_usd_pips: minimumDepth,
      });
}

// The bids decide what a forced sale brings. Depth in money first, then the price the whole position would fetch: a
// deep book of low bids is no exit either.
function bidDepthOf(context: QuoteContext) {
  const { model, config } = context;
  if (model === null) return null;
  const notional = judgedNotionalOf(context);
  const minimumDepth = neededDepthOf(notional, config);
  if (compare(model.bidDepthUsdPips, minimumDepth) < 0) {
    return reject('quote_entry_bid_depth_too_low', {
      current_bid_depth_usd_pips: model.bidDepthUsdPips,
      threshold_usd_pips: minimumDepth,
    });
  }
  const { salePriceE12 } = sizedEntryOf(model, notional);
  if (salePriceE12 >= minimumSalePriceOf(model.markPricePips, config)) return null;
  const { current, threshold } = saleDepthOf(model, notional);
  return reject('quote_entry_bid_depth_too_low', {
    current_bid_depth_usd_pips: current,
    threshold_usd_pips: threshold,
  });
}

// In play the score matters more the less is left; after this share of the game nothing opens.
function elapsedOf({ snapshot, phase, config }: QuoteContext) {
  if (phase === null || phase.kind !== 'in_play' || snapshot.nowMs < phase.latestEntryAtMs) return null;
  return reject('quote_entry_market_too_elapsed', {
    max_pct_elapsed: config.sport.latestEntryElapsedBps / 10_000,
    pct_elapsed: Math.min(10_000, phase.elapsedBps ?? 10_000) / 10_000,
  });
}

// Two sources that disagree by cents: one of them is wrong, and it cannot be known which.
function divergenceOf({ snapshot, token, config }: QuoteContext) {
  return isBreakerTripped(snapshot, token, config) ? reject('circuit_breaker_price_divergence_tripped') : null;
}

// Outside the band the risk study found no leverage that pays: books vanish near zero, and near one nothing is left.
function priceRangeOf(context: QuoteContext) {
  const { phase } = context;
  const best = bestOf(context);
  if (best === null || phase === null) return null;
  const { minPricePips, maxPricePips } = phase.priceBand;
  const { pricePips } = best.ask;
  if (compare(pricePips, minPricePips) >= 0 && compare(pricePips, maxPricePips) <= 0) return null;
  return reject('quote_entry_price_out_of_range', {
    current_price_usd_pips: pricePips,
    max_price_usd_pips: maxPricePips,
    min_price_usd_pips: minPricePips,
  });
}

/** Fewer than two ticks between entry and liquidation at the lowest leverage leave no price to be liquidated at. */
function priceTooLowOf(context: QuoteContext) {
  const best = bestOf(context);
  if (best === null) return null;
  const { terms, config, snapshot } = context;
  const liquidation = estimatedLiquidationPriceOf({
    entryPricePips: best.ask.pricePips,
    leverageBps: constants.minLeverageBps,
    liquidationFeeBps: rateBps(raw(terms.fees.liquidationFeeBps) + raw(config.model.exitBufferBps)),
  });
  const room = raw(best.ask.pricePips) - raw(liquidation);
  return room < config.entry.minTickCount * raw(snapshot.facts.tickPricePips) ? reject('quote_price_too_low') : null;
}

export const qualityGates: readonly Gate[] = [
  {
    name: 'book_sides',
    needs: 'market',
    codes: ['quote_entry_book_one_sided', 'notional_selector_empty_order_book'],
    check: sidednessOf,
  },
  {
    name: 'spread',
    needs: 'market',
    codes: ['quote_entry_spread_too_wide'],
    check: (context) => {
      const best = bestOf(context);
      if (best === null) return null;
      const spread = subtract(best.ask.pricePips, best.bid.pricePips);
      const { maxSpreadPricePips } = context.config.entry;
      return compare(spread, maxSpreadPricePips) <= 0
        ? null
        : reject('quote_entry_spread_too_wide', {
            current_spread_usd_pips: spread,
            max_spread_usd_pips: maxSpreadPricePips,
          });
    },
  },
  { name: 'ask_depth', needs: 'market', codes: ['quote_entry_depth_too_low'], check: depthOf },
  { name: 'bid_depth', needs: 'market', codes: ['quote_entry_bid_depth_too_low'], check: bidDepthOf },
  { name: 'elapsed', needs: 'market', codes: ['quote_entry_market_too_elapsed'], check: elapsedOf },
  {
    // A holder of most of one outcome can empty the bids whenever it pays.
    name: 'top_holder',
    needs: 'market',
    codes: ['quote_entry_top_holder_too_high'],
    check: ({ token, config }) =>
      token.topHolderShareBps !== null && compare(token.topHolderShareBps, config.entry.maxTopHolderShareBps) > 0
        ? reject('quote_entry_top_holder_too_high')
        : null,
  },
  {
    // Bids of a market that does not trade are there until they are hit.
    name: 'volume',
    needs: 'market',
    codes: ['quote_entry_volume_too_low'],
    check: ({ snapshot, config }) => {
      const { volume24hUsdPips } = snapshot.facts;
      const { minVolume24hUsdPips } = config.entry;
      // Unknown volume is not judged.
      return volume24hUsdPips === null || compare(volume24hUsdPips, minVolume24hUsdPips) >= 0
        ? null
        : reject('quote_entry_volume_too_low', {
            current_volume24h_usd_pips: volume24hUsdPips,
            min_volume24h_usd_pips: minVolume24hUsdPips,
          });
    },
  },
  {
    name: 'divergence_breaker',
    needs: 'market',
    codes: ['circuit_breaker_price_divergence_tripped'],
    check: divergenceOf,
  },
  { name: 'price_range', needs: 'market', codes: ['quote_entry_price_out_of_range'], check: priceRangeOf },
  { name: 'price_floor', needs: 'market', codes: ['quote_price_too_low'], check: priceTooLowOf },
];
