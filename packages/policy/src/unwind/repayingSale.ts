import {
  add,
  type BookLevel,
  compare,
  constants,
  max,
  type PricePips,
  type RateBps,
  raw,
  subtract,
  type TokenUnits,
  tokenUnits,
  toShareStep,
  type UsdcUnits,
  usdcUnits,
  venueFeeShareBpsOf,
} from '@core/pricing';
import type { FillerCost } from '../config.ts';
import { coverFeeBpsOf, type SaleFees } from './coverFee.ts';
import { saleLimitOf } from './saleLimit.ts';

/** Bounds of a sale beside its proceeds. */
export interface SaleBounds {
  /** Null for an order. */
  readonly fillerCost: FillerCost | null;
  readonly bids: readonly BookLevel[];
  /** Tokens the vault has booked for the position. */
  readonly heldTokenUnits: TokenUnits;
  readonly lowestPricePips: PricePips;
  readonly tickPricePips: PricePips;
  /** Fees that the size is computed with; what a sale has to cover is computed with the maximum. */
  readonly fees: SaleFees;
}

/** An order that may be placed: on the venue's grid, leaving nothing or a sellable rest. */
export interface Sale {
  readonly tokenUnits: TokenUnits;
  readonly limitPricePips: PricePips;
}

const { minOrderTokenUnits } = constants;
const wholeBps = 10_000n;
/** Real books settle in three rounds. */
const maxRounds = 64;

/** Return the minimum proceeds of a sale, at its limit and after a fee of the money traded, rounded down. */
export function netProceedsOf({ tokenUnits: sold, limitPricePips }: Sale, feeBps: RateBps): UsdcUnits {
  return usdcUnits((raw(sold) * raw(limitPricePips) * (wholeBps - raw(feeBps))) / (wholeBps * wholeBps));
}

/** Tokens that bring an amount of money at a limit after a fee, rounded up. Null when nothing is left of the price. */
function tokensToRepay(repay: UsdcUnits, limit: PricePips, feeBps: RateBps): TokenUnits | null {
  const perToken = raw(limit) * (wholeBps - raw(feeBps));
  return perToken <= 0n ? null : tokenUnits((raw(repay) * wholeBps * wholeBps + perToken - 1n) / perToken);
}

const shareAt = (pricePips: PricePips, { venueFee }: SaleFees) => venueFeeShareBpsOf({ pricePips, schedule: venueFee });

/**
 * True when the vault takes a sale as an unwind: at most what repays the debt at its limit, and five tokens. Its fee is
 * the attested one.
 */
export function isWithinDebt({ tokenUnits: sold, limitPricePips }: Sale, debt: UsdcUnits, fees: SaleFees): boolean {
  const minimumTokens = tokensToRepay(debt, limitPricePips, shareAt(limitPricePips, fees));
  return minimumTokens !== null && compare(sold, add(minimumTokens, minOrderTokenUnits)) <= 0;
}

/**
 * True when a sale brings an amount at its limit by the vault's calculation: after the highest fee that the exchange
 * may take now.
 */
export function isCovering(sale: Sale, dueUsdcUnits: UsdcUnits, fees: SaleFees): boolean {
  return compare(netProceedsOf(sale, coverFeeBpsOf(sale.limitPricePips, fees)), dueUsdcUnits) >= 0;
}

/** A size as the venue takes it: at least its smallest order, and everything rather than an unsellable rest. */
function sellableSizeOf(minimum: TokenUnits, holding: TokenUnits): TokenUnits {
  const whole = toShareStep(holding, 'down');
  const size = max(minimum, minOrderTokenUnits);
  return compare(subtract(holding, size), minOrderTokenUnits) < 0 ? whole : size;
}

/**
 * The size whose sale at its own limit repays an amount, and that limit: a larger size sells deeper, which lowers its
 * limit, which asks for a larger size. In a grant it also bears less of the filler's gas per token, which raises the
 * limit: the size shrinks again until it is within what the vault takes. All tokens when fewer would not do. The limit
 * is null where the book does not take the size within the bounds; the whole is null for a position below the venue's
 * smallest order.
 */
export function repayingSizeOf(
  repayUsdcUnits: UsdcUnits,
  bounds: SaleBounds,
): { readonly tokenUnits: TokenUnits; readonly limitPricePips: PricePips | null } | null {
  const { bids, heldTokenUnits, fees } = bounds;
  const whole = toShareStep(heldTokenUnits, 'down');
  if (compare(whole, minOrderTokenUnits) < 0) return null;
  let size = sellableSizeOf(minOrderTokenUnits, heldTokenUnits);
  for (let round = 0; round < maxRounds; round += 1) {
    const limit = saleLimitOf({ bids }, { ...bounds, tokenUnits: size });
    if (limit === null) return { tokenUnits: size, limitPricePips: null };
    const minimumTokens = tokensToRepay(repayUsdcUnits, limit, shareAt(limit, fees));
    const next = minimumTokens === null ? whole : sellableSizeOf(toShareStep(minimumTokens, 'up'), heldTokenUnits);
    const beyond = subtract(size, next);
    if (raw(beyond) >= 0n && compare(beyond, minOrderTokenUnits) < 0)
      return { tokenUnits: size, limitPricePips: limit };
    size = next;
  }
  return { tokenUnits: whole, limitPricePips: saleLimitOf({ bids }, { ...bounds, tokenUnits: whole }) };
}
