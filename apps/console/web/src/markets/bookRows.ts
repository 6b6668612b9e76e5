import type { OrderBook } from '@core/sdk';

type TokenBook = NonNullable<OrderBook['yes']>;

/** Level of a book with the tokens from the best price up to it. */
export interface BookRow {
  readonly pricePips: string;
  readonly tokenUnits: bigint;
  readonly totalUnits: bigint;
  /** Total in percent of the largest total displayed, rounded down. */
  readonly share: number;
}

/** Levels of each side in a display. */
const rowCount = 8;

/** Return the best levels of both sides: asks with the highest price first, bids likewise. */
export function bookRowsOf({ asks, bids }: Pick<TokenBook, 'asks' | 'bids'>): {
  readonly asks: readonly BookRow[];
  readonly bids: readonly BookRow[];
} {
  const [askRows, bidRows] = [totalled(asks.slice(0, rowCount)), totalled(bids.slice(0, rowCount))];
  const largest = [...askRows, ...bidRows].reduce(
    (maximum, { totalUnits }) => (totalUnits > maximum ? totalUnits : maximum),
    1n,
  );
  const shared = (rows: typeof askRows): readonly BookRow[] =>
    rows.map((row) => ({ ...row, share: Number((row.totalUnits * 100n) / largest) }));
  return { asks: shared(askRows).toReversed(), bids: shared(bidRows) };
}

function totalled(levels: TokenBook['asks']): readonly Omit<BookRow, 'share'>[] {
  let totalUnits = 0n;
  return levels.map(({ price_usd_pips: pricePips, token_units: units }) => {
    const tokenUnits = BigInt(units);
    totalUnits += tokenUnits;
    return { pricePips, tokenUnits, totalUnits };
  });
}

/** Return the best ask minus the best bid in pips; null while a side is empty. */
export function spreadPipsOf({ asks: [ask], bids: [bid] }: Pick<TokenBook, 'asks' | 'bids'>): number | null {
  return ask === undefined || bid === undefined ? null : Number(ask.price_usd_pips) - Number(bid.price_usd_pips);
}
