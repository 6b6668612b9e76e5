import { max, type PricePips, pricePips, type RateBps, ratioOf, raw, subtract } from '@core/pricing';
import { type DebtFigures, debtFiguresOf, type Market } from '@core/sdk';
import type { ChainDebt } from './readDebts.ts';

interface Outcome {
  readonly market: Market;
  readonly side: 'yes' | 'no';
}

/** Debt with its distance from liquidation at the current mark. */
export interface DebtRow {
  readonly positionKey: string;
  /** Market and side of its tokens; null for a market that is not listed. */
  readonly outcome: Outcome | null;
  readonly figures: DebtFigures;
  readonly markPricePips: PricePips | null;
  /** Mark less liquidation price, over the mark, rounded down and never below zero; null without a mark. */
  readonly distanceBps: RateBps | null;
}

const nothing = pricePips(0n);

/** Return the market and side of a token; null for one that is not listed. */
export function outcomeOf(markets: readonly Market[], tokenId: string): Outcome | null {
  const market = markets.find(({ venue }) => venue.yes_token_id === tokenId || venue.no_token_id === tokenId);
  return market === undefined ? null : { market, side: market.venue.yes_token_id === tokenId ? 'yes' : 'no' };
}

interface DebtPrices {
  readonly markets: readonly Market[];
  /** Return the current mark in pips; null without one. */
  readonly markOf: (outcome: Outcome) => string | null;
}

/** Return debts with those nearest to liquidation first. A debt without a mark comes before all others. */
export function debtRowsOf(debts: readonly ChainDebt[], { markets, markOf }: DebtPrices): readonly DebtRow[] {
  const rows = debts.map(({ positionKey, tokenId, debt }): DebtRow => {
    const outcome = outcomeOf(markets, tokenId);
    const pips = outcome && markOf(outcome);
    const mark = pips === null || pips === '0' ? null : pricePips(BigInt(pips));
    const figures = debtFiguresOf(debt, mark ?? nothing);
    const distance = mark && max(nothing, subtract(mark, figures.liquidationPricePips));
    const distanceBps = mark && distance && ratioOf(distance, mark, 'down');
    return { positionKey, outcome, figures, markPricePips: mark, distanceBps };
  });
  const rankOf = ({ distanceBps }: DebtRow): number => (distanceBps === null ? -1 : Number(raw(distanceBps)));
  return rows.toSorted((one, other) => rankOf(one) - rankOf(other));
}

/** Return the sum of the debts within a distance of liquidation, in USDC units. */
export function debtWithin(rows: readonly DebtRow[], maxBps: bigint): bigint {
  const near = rows.filter(({ distanceBps }) => distanceBps !== null && raw(distanceBps) <= maxBps);
  return near.reduce((sum, { figures }) => sum + raw(figures.owedUsdcUnits), 0n);
}
