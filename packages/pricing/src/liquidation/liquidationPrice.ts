import { constants } from '../constants.ts';
import { quartersOf } from '../size/snapQuote.ts';
import { divide, divideAmount, multiplyDivide } from '../units/arithmetic.ts';
import { priceOf, wholeBps } from '../units/conversion.ts';
import {
  type LeverageBps,
  leverageBps,
  type PricePips,
  pricePips,
  type RateBps,
  raw,
  type TokenUnits,
  type UsdcUnits,
  usdcUnits,
} from '../units/quantity.ts';

/** Rates between the debt of a position and its liquidation price. */
export interface LiquidationTerms {
  readonly liquidationFeeBps: RateBps;
  /** Margin for the sale itself, fixed by the opening attestation; proceeds above the debt belong to the user. */
  readonly exitBufferBps: RateBps;
}

/** Debt of a position: principal, and fees accrued or pending. */
export interface Debt {
  readonly principalUsdcUnits: UsdcUnits;
  readonly feesUsdcUnits: UsdcUnits;
}

/** Return the threshold H = ⌈(principal + fees) × (10,000 + liquidation fee + exit buffer) / 10,000⌉, in USDC units. */
export function liquidationThresholdOf(debt: Debt, terms: LiquidationTerms): UsdcUnits {
  const factor = wholeBps + raw(terms.liquidationFeeBps) + raw(terms.exitBufferBps);
  const owed = raw(debt.principalUsdcUnits) + raw(debt.feesUsdcUnits);
  return usdcUnits(divideAmount(owed * factor, wholeBps, 'up'));
}

/**
 * Return the binding liquidation price: ⌊threshold × 10,000 / tokens⌋ pips. A position can be liquidated when the
 * attested mark is at or below it. It is rounded down: the one rounding in the user's favour.
 *
 * @returns Price in pips; 0 without principal or without tokens.
 */
export function liquidationPriceOf(position: Debt & LiquidationTerms & { readonly tokenUnits: TokenUnits }): PricePips {
  if (raw(position.principalUsdcUnits) === 0n || raw(position.tokenUnits) === 0n) return pricePips(0n);
  return priceOf(liquidationThresholdOf(position, position), position.tokenUnits, 'down');
}

/**
 * Return true when a position may be liquidated at a mark: at its liquidation price or below. The price is 0 without
 * principal, and nothing is liquidated then.
 */
export function isLiquidatable(markPricePips: PricePips, liquidationPricePips: PricePips): boolean {
  return raw(liquidationPricePips) > 0n && raw(markPricePips) <= raw(liquidationPricePips);
}

/**
 * Return the specification's estimate: entry × (L − 1) / L × (1 + liquidation fee), rounded down to a pip. It ignores
 * buffer, pending fees and the fill, so the price of a quote may differ.
 *
 * @throws RangeError when the leverage is no positive multiple of 2,500 bps.
 */
export function estimatedLiquidationPriceOf({
  entryPricePips,
  leverageBps: leverage,
  liquidationFeeBps,
}: {
  readonly entryPricePips: PricePips;
  readonly leverageBps: LeverageBps;
  readonly liquidationFeeBps: RateBps;
}): PricePips {
  const quarters = quartersOf(leverage);
  const factor = (quarters - 4n) * (wholeBps + raw(liquidationFeeBps));
  return multiplyDivide(entryPricePips, factor, quarters * wholeBps, 'down');
}

/** Highest share of entry and mark for a liquidation price: 99 %. */
const reachBps = wholeBps - raw(constants.minLiquidationTolerancePctBps);

/**
 * Return the viable leverage a / (a − x) with x = 0.99 × min(a, mark) / (1 + liquidation fee + buffer): the leverage at
 * which the liquidation price reaches 99 % of entry or mark (DEFINITIONS 1, G). The service's maximum does not limit
 * it.
 *
 * @returns Leverage, rounded down to the step of 2,500 bps.
 */
export function priceViableLeverageOf({
  entryPricePips,
  markPricePips,
  liquidationFeeBps,
  exitBufferBps,
}: LiquidationTerms & { readonly entryPricePips: PricePips; readonly markPricePips: PricePips }): LeverageBps {
  const entry = raw(entryPricePips);
  const reference = entry < raw(markPricePips) ? entry : raw(markPricePips);
  // Both sides of the fraction multiplied by (10,000 + fee + buffer), so that only the last division rounds.
  const factor = wholeBps + raw(liquidationFeeBps) + raw(exitBufferBps);
  const stepBps = raw(constants.leverageStepBps);
  const leverage = divide(entry * factor * wholeBps, entry * factor - reference * reachBps, 'down');
  return leverageBps((leverage / stepBps) * stepBps);
}

/**
 * Decide (f) of the revision ladder: true while the liquidation price is at most 99 % of the lower of entry and mark.
 */
export function isLiquidationViable({
  liquidationPricePips,
  entryPricePips,
  markPricePips,
}: {
  readonly liquidationPricePips: PricePips;
  readonly entryPricePips: PricePips;
  readonly markPricePips: PricePips;
}): boolean {
  const entry = raw(entryPricePips);
  const reference = entry < raw(markPricePips) ? entry : raw(markPricePips);
  return raw(liquidationPricePips) * wholeBps <= reference * reachBps;
}

/**
 * Return the minimum distance of liquidation from the lower of entry and mark, rounded up: `minimum_buffer_usd_pips`.
 */
export function minimumBufferOf(entryPricePips: PricePips, markPricePips: PricePips): PricePips {
  const reference = raw(entryPricePips) < raw(markPricePips) ? entryPricePips : markPricePips;
  return multiplyDivide(reference, raw(constants.minLiquidationTolerancePctBps), wholeBps, 'up');
}
