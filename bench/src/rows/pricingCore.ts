import {
  leverageBps,
  pricePips,
  type QuoteFigures,
  quoteFiguresOf,
  rateBps,
  reviseSize,
  type SizeMarket,
  tokenUnits,
  type UsdPips,
  usdPips,
} from '@core/pricing';
import type { Bench, Row } from '../harness/row.ts';
import { syncWork } from '../harness/work.ts';
import { fees, notionalOf, plain, plainQuoteOf } from './plainQuote.ts';

const large = usdPips(10_000_000n);
const market: SizeMarket = {
  asks: plain.asks.map(({ price, size }) => ({ pricePips: pricePips(price), sizeTokenUnits: tokenUnits(size) })),
  markPricePips: pricePips(plain.mark),
  minNotionalUsdPips: usdPips(plain.minNotionalPips),
  minCollateralUsdPips: usdPips(10_000n),
  isPregame: false,
  liquidationFeeBps: fees.liquidationFeeBps,
  exitBufferBps: rateBps(plain.exitBuffer),
  leverageLimitOf: (notional: UsdPips) => (notional > large ? leverageBps(40_000n) : leverageBps(60_000n)),
};
const slippageBps = rateBps(plain.slippage);
const tickPricePips = pricePips(plain.tick);
const requestedLeverage = leverageBps(plain.leverage);

/** Compute the same quote as a caller of the library would. */
function libraryQuoteOf(index: number): QuoteFigures | null {
  const accepted = reviseSize(
    {
      side: 'yes',
      notionalUsdPips: usdPips(notionalOf(index)),
      leverageBps: requestedLeverage,
      slippageBps,
      allowRevision: true,
      minFillBps: null,
    },
    market,
  );
  if (accepted.kind !== 'accepted') return null;
  return quoteFiguresOf({
    ...accepted,
    asks: market.asks,
    slippageBps,
    tickPricePips,
    exitBufferBps: market.exitBufferBps,
    fees,
  });
}

/** Return every number of a quote in a fixed order, whatever its name. */
function numbersOf(figures: object): string {
  return Object.values(figures).map(String).sort().join(' ');
}

function prepare(): Bench {
  const plainAt = (index: number): Record<string, bigint> | null =>
    plainQuoteOf({ ...plain, notionalPips: notionalOf(index) });
  // Rates that are only passed through are among the figures of the library, not among the plain ones.
  const passedThrough = { lifetimeBps: 1_000n, liquidationBps: plain.liquidationFee, tradingBps: plain.tradingFee };
  for (let index = 0; index < 4_096; index += 97) {
    const library = libraryQuoteOf(index);
    const plainFigures = plainAt(index);
    if (library === null || plainFigures === null) throw new Error('both versions must grant the quote');
    if (numbersOf(library) !== numbersOf({ ...plainFigures, ...passedThrough })) {
      throw new Error('both versions must give the same figures');
    }
  }
  const floor = 'plain bigint, inline';
  return {
    subject: syncWork('reviseSize + quoteFiguresOf', libraryQuoteOf),
    others: [syncWork(floor, plainAt)],
    bars: [{ against: floor, atLeast: 0.8 }],
  };
}

/** Ladder, walk of 50 levels, every fee, liquidation prices and maximum gain. */
export const pricingCore: Row = { name: 'pricing-core', work: 'full quote, 50 levels', prepare };
