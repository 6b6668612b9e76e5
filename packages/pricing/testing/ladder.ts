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
import { levels } from './book.ts';

/** Whole dollars as pips. */
export function usd(dollars: number): UsdPips {
  return usdPips(BigInt(Math.round(dollars * 10_000)));
}

/** Leverage as a multiple, in quarters. */
export function times(multiple: number): LeverageBps {
  return leverageBps(BigInt(multiple * 10_000));
}

/** A request for 100 USD at 3x that a deep book grants as it stands; tests change what they are about. */
export function sizeRequest(change: Partial<SizeRequest> = {}): SizeRequest {
  return {
    effectiveSide: 'yes',
    notionalUsdPips: usd(100),
    leverageBps: times(3),
    slippageBps: rateBps(200n),
    allowRevision: false,
    minFillBps: null,
    ...change,
  };
}

/** A market around 0.50 with 10,000 tokens at the best ask and no limit below 10x but what (f) says. */
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

/** A limit that falls in steps: each row holds up to and including its notional. */
export function limitSteps(...rows: readonly (readonly [dollars: number, multiple: number])[]) {
  return (notional: UsdPips): LeverageBps => {
    for (const [dollars, multiple] of rows) if (raw(notional) <= raw(usd(dollars))) return times(multiple);
    return leverageBps(0n);
  };
}
