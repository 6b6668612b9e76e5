import {
  add,
  type BookFill,
  compare,
  max,
  type OrderBook,
  raw,
  subtract,
  type TokenUnits,
  toShareStep,
  type UsdcUnits,
  usdcUnits,
  type VenueFeeSchedule,
  valueOf,
  venueFeeOfFills,
  walkAsksByTokens,
  walkBids,
} from '@core/pricing';

/** Books of both tokens of a market, with the fee of a taker. */
export interface FillBooks {
  /** Book of the grant's token. */
  readonly token: OrderBook;
  /** Book of the other token of the market. */
  readonly complement: OrderBook;
  readonly feeSchedule: VenueFeeSchedule;
}

/** Amounts that the filler may use for one grant. */
export interface FillMeans {
  readonly usdcUnits: UsdcUnits;
  readonly tokenUnits: TokenUnits;
  /** True where left tokens rest at the best ask before they are sold at the bids. */
  readonly canRest: boolean;
}

/**
 * Ways to fill a grant. `stock` delivers tokens that the filler holds. `pair` turns USDC into both tokens, delivers one
 * and sells the other. `buy` buys at the venue. `resell` pays for tokens of a sale and sells them at the venue.
 */
export type FillWay = 'stock' | 'pair' | 'buy' | 'resell';

/** Way with its price: the cost of the tokens of a purchase, the proceeds of those of a sale. */
export interface PricedWay {
  readonly way: FillWay;
  readonly worthUsdcUnits: UsdcUnits;
  /** USDC that the filler needs at one time; null for what it pays the vault. */
  readonly floatUsdcUnits: UsdcUnits | null;
}

const nothing = usdcUnits(0n);

/** Terms of a sale at the venue. */
interface SaleTerms {
  readonly feeSchedule: VenueFeeSchedule;
  readonly canRest: boolean;
}

/**
 * Return the proceeds of a sale at the venue, rounded down; null when the bids do not take all of it. Tokens that can
 * rest are worth the best ask, since a maker pays no fee; those that find no buyer are sold at the bids.
 */
function proceedsOf(book: OrderBook, tokens: TokenUnits, { feeSchedule, canRest }: SaleTerms): UsdcUnits | null {
  const { fills, restTokenUnits, proceedsUsdcUnits } = walkBids({ bids: book.bids, tokenUnits: tokens });
  if (raw(restTokenUnits) > 0n) return null;
  const atBids = subtract(proceedsUsdcUnits, feeOf(fills, feeSchedule));
  const [bestAsk] = book.asks;
  return canRest && bestAsk !== undefined ? max(atBids, valueOf(tokens, bestAsk.pricePips, 'down')) : atBids;
}

const feeOf = (fills: readonly BookFill[], schedule: VenueFeeSchedule): UsdcUnits =>
  venueFeeOfFills({ fills, schedule, rounding: 'up' });

/** Return the USDC that a number of pairs costs: one per token, exact. */
const pairCostOf = (tokens: TokenUnits): UsdcUnits => usdcUnits(raw(tokens));

/** Return the sum of a walk over asks, rounded up to a unit. */
const costOf = (exactUsdcUnitsE4: bigint): UsdcUnits => usdcUnits((exactUsdcUnitsE4 + 9_999n) / 10_000n);

/**
 * Return the ways to have tokens for a purchase, cheapest first. Costs are rounded up. Tokens in stock cost what they
 * would bring at the best bid. A pair costs its USDC less the proceeds of the other token. A pair that costs at most a
 * cent more comes first: when another filler takes the grant, it is turned back into USDC without a loss.
 */
export function purchaseWaysOf(books: FillBooks, tokens: TokenUnits, means: FillMeans): readonly PricedWay[] {
  return [stockWayOf(books, tokens, means), pairWayOf(books, tokens, means), buyWayOf(books, tokens)]
    .filter((way) => way !== null)
    .filter(({ floatUsdcUnits }) => compare(floatUsdcUnits ?? nothing, means.usdcUnits) <= 0)
    .toSorted((left, right) => compare(rankOf(left), rankOf(right)));
}

/** A cent: what rounding to the venue's steps may make a pair dearer than a purchase in mirrored books. */
const pairPreference = usdcUnits(10_000n);

const rankOf = ({ way, worthUsdcUnits }: PricedWay): UsdcUnits =>
  way === 'pair' ? subtract(worthUsdcUnits, pairPreference) : worthUsdcUnits;

function stockWayOf({ token }: FillBooks, tokens: TokenUnits, means: FillMeans): PricedWay | null {
  const [bestBid] = token.bids;
  if (bestBid === undefined || compare(means.tokenUnits, tokens) < 0) return null;
  return { way: 'stock', worthUsdcUnits: valueOf(tokens, bestBid.pricePips, 'up'), floatUsdcUnits: nothing };
}

function pairWayOf(
  { complement, feeSchedule }: FillBooks,
  tokens: TokenUnits,
  { canRest }: FillMeans,
): PricedWay | null {
  const proceeds = proceedsOf(complement, toShareStep(tokens, 'down'), { feeSchedule, canRest });
  if (proceeds === null) return null;
  // The vault pays for its token before the pair is made: only the other one is the filler's to pay.
  const other = max(proceeds, nothing);
  return { way: 'pair', worthUsdcUnits: subtract(pairCostOf(tokens), other), floatUsdcUnits: other };
}

function buyWayOf({ token, feeSchedule }: FillBooks, tokens: TokenUnits): PricedWay | null {
  const { fills, restTokenUnits, exactUsdcUnitsE4 } = walkAsksByTokens({
    asks: token.asks,
    tokenUnits: toShareStep(tokens, 'up'),
  });
  if (raw(restTokenUnits) > 0n) return null;
  const cost = add(costOf(exactUsdcUnitsE4), feeOf(fills, feeSchedule));
  return { way: 'buy', worthUsdcUnits: cost, floatUsdcUnits: cost };
}

/** Return the way to fill a sale, or null when the bids do not take all tokens. Proceeds are rounded down. */
export function saleWayOf(
  { token, feeSchedule }: FillBooks,
  tokens: TokenUnits,
  { canRest }: Pick<FillMeans, 'canRest'>,
): PricedWay | null {
  const proceeds = proceedsOf(token, toShareStep(tokens, 'down'), { feeSchedule, canRest });
  return proceeds === null ? null : { way: 'resell', worthUsdcUnits: proceeds, floatUsdcUnits: null };
}
