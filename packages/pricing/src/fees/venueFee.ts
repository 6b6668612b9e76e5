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
/** The venue counts its fee in steps of 0.00001 USDC. */
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

/** (p × (1 − p))^exponent without its divisor of 10^(8 × exponent). */
function curveOf(price: bigint, exponent: bigint): bigint {
  return power(price * (pipsPerUsd - price), exponent);
}

/** Σ tokens × (p × (1 − p))^exponent, with the usual exponent 1 in a loop of its own: every quote runs it. */
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
 * Venue fee of trading tokens at one price: tokens × rate × (p × (1 − p))^exponent, in USDC units, rounded to the
 * venue's step of 10 units. Quote with `up`, reconcile with `down`. Rate 0 costs nothing.
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

/** Venue fee of a whole walk: the exact sum over its fills, rounded once to the venue's step of 10 units. */
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

/** The venue's rate in basis points, rounded down: `venue_trading_fee_bps`. */
export function venueTradingFeeBpsOf(schedule: VenueFeeSchedule): RateBps {
  return rateBps(schedule.ratePpm / 100n);
}

/** The fee's share of the money traded at one price, rate × p^(exponent − 1) × (1 − p)^exponent, as a fraction. */
function feeShareOf(price: bigint, { ratePpm, exponent }: VenueFeeSchedule): { dividend: bigint; divisor: bigint } {
  const rest = pipsPerUsd - price;
  if (exponent === 0n) return { dividend: ratePpm * pipsPerUsd, divisor: ppm * price };
  return {
    dividend: ratePpm * power(price, exponent - 1n) * power(rest, exponent),
    divisor: ppm * power(pipsPerUsd, 2n * exponent - 1n),
  };
}

/**
 * The fee's share of the USDC traded at one price, in basis points rounded up: `venueFeeBps` of a price attestation.
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

/** What the venue part of the opening fee depends on. */
export interface OpenVenueFeeInput {
  readonly fills: readonly BookFill[];
  readonly notionalUsdcUnits: UsdcUnits;
  readonly entryPricePips: PricePips;
  readonly bestAskPricePips: PricePips;
  readonly slippageBps: RateBps;
  readonly tickPricePips: PricePips;
  readonly schedule: VenueFeeSchedule;
  /** The mark an opening attestation would carry now; the vault wants the fee's share at it covered, too. */
  readonly markPricePips?: PricePips | undefined;
}

/**
 * Venue part of the opening fee with headroom: the maximum a fill allowed by the quote can cost, in USDC units rounded
 * up to 10. For a fixed notional the fee rises when the fill is cheaper, so the walk itself is no bound: the notional
 * is priced at the lowest fill (best ask less the slippage, at least two ticks), at the highest, at the mark, and at
 * the peak of the fee's share when that lies between them. What is not spent is refunded (DEFINITIONS 2). Prices stay
 * at least one tick inside 0 and 1, where no trade can happen.
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
    // As the attestation will say it: a share in whole basis points, rounded up.
    const mark = pricePips(raw(input.markPricePips) > tick ? raw(input.markPricePips) : tick);
    const share = raw(venueFeeShareBpsOf({ pricePips: mark, schedule }));
    const atMark = raw(toFeeStep(notional * share, 10_000n, 'up'));
    if (atMark > fee) fee = atMark;
  }
  // Up to exponent 1 the fee's share only falls with the price: no fill of the walk, none of them below the best ask,
  // and neither of the other candidates can cost more than the lowest.
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

/** Partner builder fee of an opening: a flat share of the notional, rounded up to a unit. */
export function partnerTradingFeeOf(notionalUsdcUnits: UsdcUnits, partnerTradingFeeBps: RateBps): UsdcUnits {
  return applyRate(notionalUsdcUnits, partnerTradingFeeBps, 'up');
}
