import type { BookFill } from '../book/orderBook.ts';
import { divide, divideAmount, type Rounding } from '../units/arithmetic.ts';
import { applyRate } from '../units/conversion.ts';
import {
  type PricePips,
  pricePips,
  type RateBps,
  rateBps,
  raw,
  type TokenUnits,
  type UsdcUnits,
  usdcUnits,
} from '../units/quantity.ts';
import type { VenueFeeSchedule } from './schedule.ts';

const pipsPerUsd = 10_000n;
const ppm = 1_000_000n;
/** Step of the venue's fee: 0.00001 USDC. */
const feeStepUnits = 10n;

// Exponents are 0 to 4: a few multiplications are faster than the power operator.
function power(base: bigint, exponent: bigint): bigint {
  if (exponent === 0n) return 1n;
  let result = base;
  for (let i = 1n; i < exponent; i += 1n) result *= base;
  return result;
}

function toFeeStep(dividend: bigint, divisor: bigint, rounding: Rounding): UsdcUnits {
  return usdcUnits(divide(dividend, divisor * feeStepUnits, rounding) * feeStepUnits);
}

/** Return (p × (1 − p))^exponent without its divisor of 10^(8 × exponent). */
function curveOf(price: bigint, exponent: bigint): bigint {
  return power(price * (pipsPerUsd - price), exponent);
}

/** Return Σ tokens × (p × (1 − p))^exponent. The default exponent 1 has its own loop because every quote runs it. */
function curveSumOf(fills: readonly BookFill[], exponent: bigint): bigint {
  let sum = 0n;
  if (exponent === 1n) {
    for (const fill of fills) {
      const price = raw(fill.pricePips);
      sum += raw(fill.tokenUnits) * (price * (pipsPerUsd - price));
    }
    return sum;
  }
  for (const fill of fills) sum += raw(fill.tokenUnits) * curveOf(raw(fill.pricePips), exponent);
  return sum;
}

function curveDivisorOf(exponent: bigint): bigint {
  return ppm * power(pipsPerUsd * pipsPerUsd, exponent);
}

/**
 * Return the venue fee for tokens traded at one price: tokens × rate × (p × (1 − p))^exponent.
 *
 * @param rounding `up` for a quote, `down` to reconcile.
 * @returns Fee in USDC units, rounded to the venue's step of 10 units; 0 at rate 0.
 */
export function venueFeeOf({
  tokenUnits,
  pricePips,
  schedule,
  rounding,
}: {
  readonly tokenUnits: TokenUnits;
  readonly pricePips: PricePips;
  readonly schedule: VenueFeeSchedule;
  readonly rounding: Rounding;
}): UsdcUnits {
  const { ratePpm, exponent } = schedule;
  const dividend = raw(tokenUnits) * ratePpm * curveOf(raw(pricePips), exponent);
  return toFeeStep(dividend, curveDivisorOf(exponent), rounding);
}

/** Return the venue fee of a whole walk: the exact sum over its fills, rounded once to the venue's step of 10 units. */
export function venueFeeOfFills({
  fills,
  schedule,
  rounding,
}: {
  readonly fills: readonly BookFill[];
  readonly schedule: VenueFeeSchedule;
  readonly rounding: Rounding;
}): UsdcUnits {
  const { ratePpm, exponent } = schedule;
  if (ratePpm === 0n) return usdcUnits(0n);
  return toFeeStep(curveSumOf(fills, exponent) * ratePpm, curveDivisorOf(exponent), rounding);
}

/** Return the venue's rate in basis points, rounded down: `venue_trading_fee_bps`. */
export function venueTradingFeeBpsOf(schedule: VenueFeeSchedule): RateBps {
  return rateBps(schedule.ratePpm / 100n);
}

/**
 * Return the fee's share of the money traded at one price, rate × p^(exponent − 1) × (1 − p)^exponent, as a fraction.
 */
function feeShareOf(price: bigint, { ratePpm, exponent }: VenueFeeSchedule): { dividend: bigint; divisor: bigint } {
  const rest = pipsPerUsd - price;
  if (exponent === 0n) return { dividend: ratePpm * pipsPerUsd, divisor: ppm * price };
  return {
    dividend: ratePpm * power(price, exponent - 1n) * power(rest, exponent),
    divisor: ppm * power(pipsPerUsd, 2n * exponent - 1n),
  };
}

/**
 * Return the fee's share of the USDC traded at one price: `venueFeeBps` of a price attestation.
 *
 * @returns Share in basis points, rounded up.
 * @throws RangeError at price zero with exponent 0.
 */
export function venueFeeShareBpsOf({
  pricePips,
  schedule,
}: {
  readonly pricePips: PricePips;
  readonly schedule: VenueFeeSchedule;
}): RateBps {
  const { dividend, divisor } = feeShareOf(raw(pricePips), schedule);
  return rateBps(divide(dividend * 10_000n, divisor, 'up'));
}

/** Inputs of the venue part of the opening fee. */
export interface OpenVenueFeeInput {
  readonly fills: readonly BookFill[];
  readonly notionalUsdcUnits: UsdcUnits;
  readonly entryPricePips: PricePips;
  readonly bestAskPricePips: PricePips;
  readonly slippageBps: RateBps;
  readonly tickPricePips: PricePips;
  readonly schedule: VenueFeeSchedule;
  /** Mark of an opening attestation at this moment; the reserved fee must also cover the fee's share at this price. */
  readonly markPricePips?: PricePips | undefined;
}

/**
 * Return the venue part of the opening fee with headroom: the maximum that an allowed fill can cost. For a fixed
 * notional the fee rises when the fill is cheaper, so the walk alone is no bound. The notional is priced at the lowest
 * fill (best ask less the slippage, at least two ticks), at the highest and at the mark. The peak of the fee's share
 * counts too when it lies between them. The unspent part is refunded (DEFINITIONS 2). Prices stay at least one tick
 * inside 0 and 1, where no trade can happen.
 *
 * @returns Fee in USDC units, rounded up to a step of 10 units.
 */
export function expectedOpenVenueFeeOf(input: OpenVenueFeeInput): UsdcUnits {
  const { schedule } = input;
  const { ratePpm, exponent } = schedule;
  if (ratePpm === 0n) return usdcUnits(0n);
  const tick = raw(input.tickPricePips);
  const bestAsk = raw(input.bestAskPricePips);
  const slippage = raw(input.slippageBps);
  const notional = raw(input.notionalUsdcUnits);

  const slip = divideAmount(bestAsk * slippage, 10_000n, 'up');
  const drop = slip > 2n * tick ? slip : 2n * tick;
  const lowest = bestAsk - drop > tick ? bestAsk - drop : tick;

  const feeAt = (price: bigint): bigint => {
    const { dividend, divisor } = feeShareOf(price, schedule);
    return raw(toFeeStep(notional * dividend, divisor, 'up'));
  };
  let fee = feeAt(lowest);
  if (input.markPricePips !== undefined) {
    // An attestation carries the share in whole basis points, rounded up.
    const mark = pricePips(raw(input.markPricePips) > tick ? raw(input.markPricePips) : tick);
    const share = raw(venueFeeShareBpsOf({ pricePips: mark, schedule }));
    const atMark = raw(toFeeStep(notional * share, 10_000n, 'up'));
    if (atMark > fee) fee = atMark;
  }
  // Up to exponent 1 the share only falls with the price. No fill of the walk is below the best ask, so neither the
  // fills nor the other candidates can cost more than the lowest price.
  if (exponent > 1n) {
    const atWalk = raw(venueFeeOfFills({ fills: input.fills, schedule, rounding: 'up' }));
    if (atWalk > fee) fee = atWalk;
    const worst = divide(raw(input.entryPricePips) * 10_000n, 10_000n - slippage, 'up');
    const highest = worst < pipsPerUsd - tick ? worst : pipsPerUsd - tick;
    const atHighest = feeAt(highest);
    if (atHighest > fee) fee = atHighest;
    const peak = exponent - 1n;
    const peakDivisor = 2n * exponent - 1n;
    if (lowest * peakDivisor < peak * pipsPerUsd && peak * pipsPerUsd < highest * peakDivisor) {
      const dividend = notional * ratePpm * power(peak, peak) * power(exponent, exponent);
      const atPeak = raw(toFeeStep(dividend, ppm * power(peakDivisor, peakDivisor), 'up'));
      if (atPeak > fee) fee = atPeak;
    }
  }
  return usdcUnits(fee);
}

/** Return the partner's builder fee of an opening: a flat share of the notional, rounded up to a unit. */
export function partnerTradingFeeOf(notionalUsdcUnits: UsdcUnits, partnerTradingFeeBps: RateBps): UsdcUnits {
  return applyRate(notionalUsdcUnits, partnerTradingFeeBps, 'up');
}
