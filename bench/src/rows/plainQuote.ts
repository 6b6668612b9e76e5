import { type FeeSchedule, leverageBps, rateBps } from '@core/pricing';

/** One ask of the plain version. */
export interface PlainLevel {
  readonly price: bigint;
  readonly size: bigint;
}

/** Inputs of the plain version, with hard-coded fees. */
export interface PlainInput {
  readonly asks: readonly PlainLevel[];
  readonly notionalPips: bigint;
  readonly leverage: bigint;
  readonly slippage: bigint;
  readonly mark: bigint;
  readonly tick: bigint;
  readonly minNotionalPips: bigint;
  readonly floorUnits: bigint;
  readonly limitOf: (notionalPips: bigint) => bigint;
  readonly tierFees: readonly (readonly [maxLeverage: bigint, fee: bigint])[];
  readonly partnerFee: bigint;
  readonly maxFee: bigint;
  readonly tradingFee: bigint;
  readonly liquidationFee: bigint;
  readonly exitBuffer: bigint;
  readonly ratePpm: bigint;
}

const levelCount = 50;
/** 50 levels one tick apart, 40 tokens each: 1,144 USD deep from 0.50 to 0.549. */
const plainAsks = Array.from({ length: levelCount }, (_, index) => ({
  price: 5_000n + 10n * BigInt(index),
  size: 40_000_000n + 1_230_000n * BigInt(index % 7),
}));
/** Deep enough that every level is walked; each call has a slightly different size. */
export const notionalOf = (index: number): bigint => 11_300_000n + BigInt(index & 4_095);

/** The quote that both versions compute. */
export const plain: PlainInput = {
  asks: plainAsks,
  notionalPips: 0n,
  // Above the limit of the market at this size, so that the ladder must revise.
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

/** The same fees in the form of the library. */
export const fees: FeeSchedule = {
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
const ceil = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor;
const floor = (dividend: bigint, divisor: bigint): bigint =>
  dividend >= 0n ? dividend / divisor : -ceil(-dividend, divisor);

function clearOf({ asks, slippage }: PlainInput): bigint {
  const limit = (asks[0]?.price ?? 0n) * (10_000n + slippage);
  let spent = 0n;
  let tokens = 0n;
  let fillable = 0n;
  for (const { price, size } of asks) {
    const worth = size * price;
    fillable += worth / 10_000n;
    const excess = price * 10_000n - limit;
    if (excess > 0n) {
      const room = (price * (limit * tokens - 10_000n * spent)) / excess;
      if (room < worth) {
        spent += room;
        break;
      }
    }
    spent += worth;
    tokens += size;
  }
  const notional = spent / 1_000_000n;
  return notional < fillable / 100n ? notional : fillable / 100n;
}

/**
 * The whole quote of one market with exponent 1, written as one would without units, walks and ladder of the library:
 * plain bigints, everything inline, nothing shared, no refusal explained. The floor of the pricing row.
 */
// oxlint-disable-next-line eslint/max-lines-per-function -- being one inline function is the point.
export function plainQuoteOf(input: PlainInput): Record<string, bigint> | null {
  const { asks, slippage, mark, tick, floorUnits, liquidationFee, exitBuffer, ratePpm } = input;
  const clearable = clearOf(input);
  if (clearable < input.minNotionalPips) return null;
  const pips = input.notionalPips < clearable ? input.notionalPips : clearable;
  let leverage = input.leverage;
  const limit = input.limitOf(pips);
  if (limit < leverage) leverage = limit;
  const floorLeverage = ((pips * 1_000_000n) / floorUnits / 2_500n) * 2_500n;
  if (floorLeverage < leverage) leverage = floorLeverage;
  if (leverage < 15_000n) return null;

  const quarters = leverage / 2_500n;
  const grid = quarters % 4n === 0n ? 1n : quarters % 2n === 0n ? 2n : 4n;
  const collateral = ceil(pips * 400n, quarters * grid) * grid;
  const notional = (collateral * quarters) / 4n;
  const borrow = notional - collateral;

  let rest = notional;
  let tokens = 0n;
  let curve = 0n;
  for (const { price, size } of asks) {
    if (rest === 0n) break;
    const capacity = (size * price) / 10_000n;
    const spend = rest < capacity ? rest : capacity;
    const bought = (spend * 10_000n) / price;
    rest -= spend;
    tokens += bought;
    curve += bought * price * (10_000n - price);
  }
  const entry = ceil(notional * 10_000n, tokens);
  const minTokens = (tokens * (10_000n - slippage)) / 10_000n;
  const threshold = ceil(borrow * (10_000n + liquidationFee + exitBuffer), 10_000n);
  const worst = (threshold * 10_000n) / minTokens;
  const reference = entry < mark ? entry : mark;
  if (worst * 10_000n > reference * 9_900n) return null;

  const bestAsk = asks[0]?.price ?? 0n;
  const slip = ceil(bestAsk * slippage, 10_000n);
  const drop = slip > 2n * tick ? slip : 2n * tick;
  const lowest = bestAsk - drop > tick ? bestAsk - drop : tick;
  const walkFee = ceil(curve * ratePpm, 1_000_000n * 100_000_000n * 10n) * 10n;
  const lowFee = ceil(notional * ratePpm * (10_000n - lowest), 1_000_000n * 10_000n * 10n) * 10n;
  const venueFee = walkFee > lowFee ? walkFee : lowFee;
  const partnerTrading = ceil(notional * input.tradingFee, 10_000n);
  const trading = venueFee + partnerTrading;

  let tier = 0n;
  for (const [maximum, fee] of input.tierFees) {
    if (maximum >= leverage) {
      tier = fee;
      break;
    }
  }
  const combinedBps = tier + input.partnerFee < input.maxFee ? tier + input.partnerFee : input.maxFee;
  const partnerBps = input.partnerFee < combinedBps ? input.partnerFee : combinedBps;
  const origination = ceil(notional * combinedBps, 10_000n);
  const partner = (notional * partnerBps) / 10_000n;
  const originationPips = ceil(origination, 100n);
  const partnerPips = ceil(partner, 100n);
  const total = collateral + origination + trading;
  const gross = tokens - notional;
  const net = gross - origination - trading;
  return {
    leverage,
    collateral,
    notional,
    borrow,
    notionalPips: notional / 100n,
    entry,
    tokens,
    minTokens,
    liquidation: (threshold * 10_000n) / tokens,
    worst,
    maxLiquidation: worst + 1n,
    venueFee,
    venueBps: ratePpm / 100n,
    partnerTrading,
    partnerTradingPips: ceil(partnerTrading, 100n),
    trading,
    tradingPips: ceil(trading, 100n),
    combinedBps,
    protocolBps: combinedBps - partnerBps,
    partnerBps,
    origination,
    originationPips,
    protocol: origination - partner,
    protocolPips: originationPips - partnerPips,
    partner,
    partnerPips,
    total,
    totalPips: ceil(total, 100n),
    gross,
    grossPips: floor(gross, 100n),
    net,
    netPips: floor(net, 100n),
  };
}
