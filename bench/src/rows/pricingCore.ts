import {
  type FeeSchedule,
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
import { type PlainInput, plainQuoteOf } from './plainQuote.ts';

const levelCount = 50;
/** 50 levels one tick apart, 40 tokens each: 1,144 USD deep from 0.50 to 0.549. */
const plainAsks = Array.from({ length: levelCount }, (_, index) => ({
  price: 5_000n + 10n * BigInt(index),
  size: 40_000_000n + 1_230_000n * BigInt(index % 7),
}));
/** Deep enough into the book that every level is walked; each call asks for a slightly different size. */
const notionalOf = (index: number): bigint => 11_300_000n + BigInt(index & 4_095);

const plain: PlainInput = {
  asks: plainAsks,
  notionalPips: 0n,
  // Above the market's limit at this size, so that the ladder has to revise.
  leverage: 50_000n,
  slippage: 500n,
  mark: 4_995n,
  tick: 10n,
  minNotionalPips: 50_000n,
  floorUnits: 1_000_000n,
  limitOf: (notionalPips) => (notionalPips > 10_000_000n ? 40_000n : 60_000n),
  tierFees: [
    [30_000n, 75n],
    [50_000n, 100n],
    [75_000n, 150n],
    [100_000n, 200n],
  ],
  partnerFee: 25n,
  maxFee: 500n,
  tradingFee: 50n,
  liquidationFee: 100n,
  exitBuffer: 800n,
  ratePpm: 70_000n,
};

const fees: FeeSchedule = {
  originationTiers: plain.tierFees.map(([maximum, fee]) => ({
    maxLeverageBps: leverageBps(maximum),
    feeBps: rateBps(fee),
  })),
  partnerOriginationFeeBps: rateBps(plain.partnerFee),
  contractMaxOriginationFeeBps: rateBps(plain.maxFee),
  partnerTradingFeeBps: rateBps(plain.tradingFee),
  lifetimeFeeAprBps: rateBps(1_000n),
  liquidationFeeBps: rateBps(plain.liquidationFee),
  venue: { ratePpm: plain.ratePpm, exponent: 1n },
};
const large = usdPips(10_000_000n);
const market: SizeMarket = {
  asks: plainAsks.map(({ price, size }) => ({ pricePips: pricePips(price), sizeTokenUnits: tokenUnits(size) })),
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

/** The same quote as a caller of the library writes it. */
function libraryQuoteOf(index: number): QuoteFigures | null {
  const accepted = reviseSize(
    {
      effectiveSide: 'yes',
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
    asks: market.asks,
    notionalUsdPips: accepted.notionalUsdPips,
    leverageBps: accepted.leverageBps,
    slippageBps,
    tickPricePips,
    exitBufferBps: market.exitBufferBps,
    fees,
    fill: accepted.fill,
  });
}

/** Every number of a quote in a fixed order, whatever its name. */
function numbersOf(figures: object): string {
  return Object.values(figures).map(String).sort().join(' ');
}

function prepare(): Bench {
  const plainAt = (index: number): Record<string, bigint> | null =>
    plainQuoteOf({ ...plain, notionalPips: notionalOf(index) });
  // Rates that are only passed through stand among the library's figures, not among the plain ones.
  const passedThrough = { lifetimeBps: 1_000n, liquidationBps: plain.liquidationFee, tradingBps: plain.tradingFee };
  for (let index = 0; index < 4_096; index += 97) {
    const library = libraryQuoteOf(index);
    const expected = plainAt(index);
    if (library === null || expected === null) throw new Error('both versions must grant the quote');
    if (numbersOf(library) !== numbersOf({ ...expected, ...passedThrough })) {
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
