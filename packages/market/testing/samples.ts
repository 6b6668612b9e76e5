import {
  type BookLevel,
  type LeverageBps,
  leverageBps,
  type OrderBook,
  type PricePips,
  pricePips,
  rateBps,
  raw,
  tokenUnits,
  type UsdcUnits,
  type UsdPips,
  usdcUnits,
  usdPips,
} from '@core/pricing';
import * as fc from 'fast-check';
import type { CryptoFacts, MarketFacts, MarketSnapshot, SideSnapshot, SportFacts } from '../src/index.ts';

/** 2026-01-01T00:00:00Z: every sample lives around this moment. */
export const sampleNowMs = Date.UTC(2026, 0, 1);

export const usd = (dollars: number): UsdPips => usdPips(BigInt(Math.round(dollars * 10_000)));
export const usdc = (dollars: number): UsdcUnits => usdcUnits(BigInt(Math.round(dollars * 1_000_000)));
export const price = (dollars: number): PricePips => pricePips(BigInt(Math.round(dollars * 10_000)));
export const times = (multiple: number): LeverageBps => leverageBps(BigInt(Math.round(multiple * 10_000)));

/** A level of `tokens` whole tokens at a price in USD. */
export function level(dollars: number, tokens: number): BookLevel {
  return { pricePips: price(dollars), sizeTokenUnits: tokenUnits(BigInt(tokens) * 1_000_000n) };
}

/** A ladder of equal levels one cent apart on both sides of a mid. */
export function ladderBook(options: {
  readonly mid: number;
  readonly spread?: number;
  readonly levels?: number;
  readonly tokens?: number;
}): OrderBook {
  const { mid, spread = 0.02, levels = 10, tokens = 10_000 } = options;
  const bids: BookLevel[] = [];
  const asks: BookLevel[] = [];
  for (let n = 0; n < levels; n++) {
    const bid = mid - spread / 2 - n * 0.01;
    const ask = mid + spread / 2 + n * 0.01;
    if (bid > 0.0001) bids.push(level(bid, tokens));
    if (ask < 0.9999) asks.push(level(ask, tokens));
  }
  return { bids, asks };
}

/** A token with a live book, a settled average at its mid and no history of movement. */
export function sampleSide(book: OrderBook, overrides: Partial<SideSnapshot> = {}): SideSnapshot {
  const bid = book.bids[0];
  const ask = book.asks[0];
  const mid = bid === undefined || ask === undefined ? null : pricePips((raw(bid.pricePips) + raw(ask.pricePips)) / 2n);
  return {
    book,
    bookAgeMs: 200,
    priceAgeMs: 200,
    lastMidPricePips: mid,
    lastTrade: null,
    twap: { pricePips: mid, sampleCount: 30, lastSampleAgeMs: 200 },
    realisedVarianceE12: 0n,
    minimumBids: null,
    openLeveragedTokenUnits: tokenUnits(0n),
    secondSource: null,
    topHolderShareBps: rateBps(1_000n),
    ...overrides,
  };
}

export const sampleCrypto: CryptoFacts = { kind: 'crypto', asset: 'BTC', cadence: 'hourly', isAssetSupported: true };

export const sampleSport: SportFacts = {
  kind: 'sport',
  sport: 'tennis',
  sportName: 'tennis',
  line: 'winner',
  marketType: 'moneyline',
  gameStartAtMs: sampleNowMs - 30 * 60_000,
};

export function sampleFacts(overrides: Partial<MarketFacts> = {}): MarketFacts {
  return {
    marketId: 'mkt_01sample',
    ticker: 'btc-up-or-down-hourly',
    category: 'crypto',
    status: 'active',
    conditionId: '0x1111111111111111111111111111111111111111111111111111111111111111',
    yesTokenId: '101',
    noTokenId: '102',
    ledger: 'conditional_tokens',
    isNegRisk: false,
    isVenueClosed: false,
    isVenueActive: true,
    isAcceptingOrders: true,
    isSettlementDetected: false,
    determinedPrices: null,
    disabled: null,
    riskLevel: 'low',
    subject: sampleCrypto,
    closeAtMs: sampleNowMs + 55 * 60_000,
    volume24hUsdPips: usd(50_000),
    openInterestUsdPips: usd(20_000),
    venueFee: { ratePpm: 70_000n, exponent: 1n },
    tickPricePips: pricePips(100n),
    ...overrides,
  };
}

/** An hourly crypto market at 0.70 with 55 minutes left. */
export function sampleSnapshot(overrides: Partial<MarketSnapshot> = {}): MarketSnapshot {
  return {
    nowMs: sampleNowMs,
    facts: sampleFacts(),
    yes: sampleSide(ladderBook({ mid: 0.7 })),
    no: sampleSide(ladderBook({ mid: 0.3 })),
    reference: { ageMs: 500, elapsedBps: null, isLive: false, isEnded: false },
    isBreakerTripped: false,
    ...overrides,
  };
}

/** A running tennis match, thirty minutes in. */
export function sampleSportSnapshot(overrides: Partial<MarketSnapshot> = {}): MarketSnapshot {
  return sampleSnapshot({
    facts: sampleFacts({ category: 'sport', subject: sampleSport, closeAtMs: sampleNowMs + 82 * 60_000 }),
    reference: { ageMs: 20_000, elapsedBps: null, isLive: true, isEnded: false },
    ...overrides,
  });
}

/** Any two-sided book a venue may show: whole-cent or finer prices, uneven sizes, spread from one pip to ten cents. */
export function sampleBook(): fc.Arbitrary<OrderBook> {
  const sizes = fc.array(fc.bigInt(1n, 20_000_000_000n), { minLength: 1, maxLength: 8 });
  return fc
    .record({
      bestBid: fc.integer({ min: 50, max: 9_500 }),
      spread: fc.integer({ min: 1, max: 480 }),
      step: fc.constantFrom(1, 10, 100),
      bidSizes: sizes,
      askSizes: sizes,
    })
    .map(({ bestBid, spread, step, bidSizes, askSizes }) => ({
      bids: bidSizes.map((size, n) => levelAt(bestBid - n * step, size)).filter(isTradable),
      asks: askSizes.map((size, n) => levelAt(bestBid + spread + n * step, size)).filter(isTradable),
    }))
    .filter((book) => book.bids.length > 0 && book.asks.length > 0);
}

function levelAt(pips: number, size: bigint): BookLevel {
  return { pricePips: pricePips(BigInt(pips)), sizeTokenUnits: tokenUnits(size) };
}

function isTradable(candidate: BookLevel): boolean {
  return raw(candidate.pricePips) >= 1n && raw(candidate.pricePips) <= 9_999n;
}
