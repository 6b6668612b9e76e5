import {
  type OrderBook,
  type PricePips,
  type RateBps,
  raw,
  type SaleGrant,
  type TokenUnits,
  tokenUnits,
  usdcUnits,
  type VenueFeeSchedule,
  walkBids,
} from '@core/pricing';
import type { FillerCost } from '../config.ts';
import { decideFill } from './decideFill.ts';
import { saleCostPipsOf } from './fillerCost.ts';

/** Grant of a sale at the end of its path, in a book. */
export interface PricedSale {
  readonly tokenUnits: TokenUnits;
  /** Tokens that other grants sell before it, from the best bids. */
  readonly aheadTokenUnits?: TokenUnits | undefined;
  readonly markPricePips: PricePips;
  readonly limitPricePips: PricePips;
  readonly venueFeeBps: RateBps;
  readonly book: OrderBook;
  readonly venueFee: VenueFeeSchedule;
}

const noTokens = tokenUnits(0n);
/** More than any fill. */
const anyUsdc = usdcUnits(10n ** 24n);

/**
 * Return true for a sale that fillers leave for its size alone: at its limit it pays a filler's margin, and not the gas
 * of a fill as well. A book that is too poor for any size is another cause.
 */
export function isBelowFillCost(sale: PricedSale, cost: FillerCost): boolean {
  return !isCovered(sale, cost) && !isFilled(sale, cost) && isFilled(sale, { ...cost, gasUsdcUnits: usdcUnits(0n) });
}

/** Return true where the bids alone leave a filler more than its cost: no other way need be computed. */
function isCovered({ tokenUnits: size, aheadTokenUnits, limitPricePips, book }: PricedSale, cost: FillerCost): boolean {
  const { averagePricePips, restTokenUnits } = walkBids({ bids: book.bids, tokenUnits: size, aheadTokenUnits });
  if (averagePricePips === null || raw(restTokenUnits) > 0n) return false;
  const averagePips = raw(averagePricePips);
  return raw(limitPricePips) < averagePips - saleCostPipsOf({ averagePips, tokenUnits: size }, cost);
}

/** Return true where a filler with these costs, enough money and nothing to rest takes the sale or a part of it. */
function isFilled(sale: PricedSale, cost: FillerCost): boolean {
  const { tokenUnits: size, aheadTokenUnits = noTokens, markPricePips, book, venueFee } = sale;
  const grant: SaleGrant = {
    side: 'sale',
    // At the end of the path the start counts no more.
    startPricePips: sale.limitPricePips,
    limitPricePips: sale.limitPricePips,
    venueFeeBps: sale.venueFeeBps,
    validForSeconds: 1,
    maximumTokenUnits: size,
    filledTokenUnits: noTokens,
    heldTokenUnits: size,
  };
  const decided = decideFill({
    grant,
    elapsedSeconds: 1,
    lastSecond: 1,
    markPricePips,
    books: { token: book, complement: { bids: [], asks: [] }, feeSchedule: venueFee },
    claims: { token: aheadTokenUnits, complement: noTokens },
    means: { usdcUnits: anyUsdc, tokenUnits: noTokens, canRest: false },
    terms: { ...cost, maximumFillUsdcUnits: anyUsdc, restMs: 0 },
  });
  return decided.kind === 'fill';
}
