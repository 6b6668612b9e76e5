import * as fc from 'fast-check';
import {
  type LeverageBps,
  leverageBps,
  pricePips,
  rateBps,
  raw,
  type SizeMarket,
  type SizeRequest,
  type UsdPips,
  usdPips,
} from '../src/index.ts';
import { anyLeverage, anySlippage, anyTradableAsks } from './arbitraries.ts';
import { levels } from './book.ts';

/** Convert dollars to pips. */
export function usd(dollars: number): UsdPips {
  return usdPips(BigInt(Math.round(dollars * 10_000)));
}

/** Convert a multiple in quarters to leverage. */
export function times(multiple: number): LeverageBps {
  return leverageBps(BigInt(multiple * 10_000));
}

/** Build a request for 100 USD at 3x that a deep book grants unchanged; a test changes the fields it is about. */
export function sizeRequest(change: Partial<SizeRequest> = {}): SizeRequest {
  return {
    side: 'yes',
    notionalUsdPips: usd(100),
    leverageBps: times(3),
    slippageBps: rateBps(200n),
    allowRevision: false,
    minFillBps: null,
    ...change,
  };
}

/** Build a market around 0.50 with 10,000 tokens at the best ask and no limit below 10x except (f). */
export function sizeMarket(change: Partial<SizeMarket> = {}): SizeMarket {
  return {
    asks: levels([5_000, 10_000], [5_100, 10_000]),
    markPricePips: pricePips(4_950n),
    minNotionalUsdPips: usd(5),
    minCollateralUsdPips: usd(1),
    isPregame: false,
    liquidationFeeBps: rateBps(100n),
    exitBufferBps: rateBps(800n),
    leverageLimitOf: () => leverageBps(100_000n),
    ...change,
  };
}

/** Build a limit that falls in steps: each row applies up to and including its notional. */
export function limitSteps(...rows: readonly (readonly [dollars: number, multiple: number])[]) {
  return (notional: UsdPips): LeverageBps => {
    for (const [dollars, multiple] of rows) if (raw(notional) <= raw(usd(dollars))) return times(multiple);
    return leverageBps(0n);
  };
}

/** Market limits that fall with size, on the step, as the risk model's do. */
const anyLimit = fc
  .record({ top: fc.bigInt({ min: 0n, max: 40n }), fall: fc.bigInt({ min: 0n, max: 20n }) })
  .map(({ top, fall }) => (notional: UsdPips): LeverageBps => {
    const quarters = top - (raw(notional) * fall) / 50_000_000n;
    return leverageBps((quarters > 0n ? quarters : 0n) * 2_500n);
  });

/** Books and terms of every kind, with a limit that falls with size. */
export const anyMarket: fc.Arbitrary<SizeMarket> = fc
  .record({
    asks: anyTradableAsks,
    below: fc.bigInt({ min: 0n, max: 300n }),
    minNotional: fc.bigInt({ min: 50_000n, max: 500_000n }),
    minCollateral: fc.bigInt({ min: 10_000n, max: 300_000n }),
    isPregame: fc.boolean(),
    fee: fc.bigInt({ min: 0n, max: 1_000n }),
    buffer: fc.bigInt({ min: 0n, max: 1_500n }),
    leverageLimitOf: anyLimit,
  })
  .map((m) => {
    const mark = raw(m.asks[0]?.pricePips ?? pricePips(5_000n)) - m.below;
    return {
      asks: m.asks,
      markPricePips: pricePips(mark > 1n ? mark : 1n),
      minNotionalUsdPips: usdPips(m.minNotional),
      minCollateralUsdPips: usdPips(m.minCollateral),
      isPregame: m.isPregame,
      liquidationFeeBps: rateBps(m.fee),
      exitBufferBps: rateBps(m.buffer),
      leverageLimitOf: m.leverageLimitOf,
    };
  });

/** Requests for every size, leverage and slippage. */
export const anyRequest: fc.Arbitrary<SizeRequest> = fc
  .record({
    notional: fc.bigInt({ min: 500_000n, max: 30_000_000n }),
    leverage: anyLeverage.filter((l) => raw(l) >= 20_000n),
    slippageBps: anySlippage,
    allowRevision: fc.boolean(),
    minFill: fc.option(fc.bigInt({ min: 4n, max: 10n }), { nil: null }),
  })
  .map((r) => ({
    side: 'yes' as const,
    notionalUsdPips: usdPips(r.notional),
    leverageBps: r.leverage,
    slippageBps: r.slippageBps,
    allowRevision: r.allowRevision,
    minFillBps: r.minFill === null ? null : rateBps(r.minFill * 500n),
  }));
