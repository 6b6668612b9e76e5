import {
  add,
  type BookLevel,
  compare,
  constants,
  max,
  type PricePips,
  raw,
  subtract,
  type TokenUnits,
  tokenUnits,
  toShareStep,
  type UsdcUnits,
  usdcUnits,
  type VenueFeeSchedule,
  venueFeeShareBpsOf,
} from '@core/pricing';
import { saleLimitOf } from './saleLimit.ts';

/** What a sale has to respect beside the money it must bring. */
export interface SaleBounds {
  readonly bids: readonly BookLevel[];
  /** Tokens the vault has booked for the position. */
  readonly heldTokenUnits: TokenUnits;
  readonly markPricePips: PricePips;
  readonly slipBps: Parameters<typeof saleLimitOf>[1]['slipBps'];
  readonly tickPricePips: PricePips;
  readonly venueFee: VenueFeeSchedule;
}

/** An order that may be placed: on the venue's grid, leaving nothing or a sellable rest. */
export interface Sale {
  readonly tokenUnits: TokenUnits;
  readonly limitPricePips: PricePips;
}

const { minOrderTokenUnits } = constants;
const wholeBps = 10_000n;
/** Every round lowers the limit by a pip at least or ends; real books settle in three. */
const maxRounds = 64;

/** Part of the price that is left after the venue's fee at it, in basis points of the price. */
function keptBpsOf(pricePips: PricePips, schedule: VenueFeeSchedule): bigint {
  return wholeBps - raw(venueFeeShareBpsOf({ pricePips, schedule }));
}

/** What a sale at its limit leaves after the venue's fee, rounded down: the minimum it can bring. */
export function netProceedsOf({ tokenUnits: sold, limitPricePips }: Sale, schedule: VenueFeeSchedule): UsdcUnits {
  return usdcUnits((raw(sold) * raw(limitPricePips) * keptBpsOf(limitPricePips, schedule)) / (wholeBps * wholeBps));
}

/** Tokens that bring an amount of money at a limit after the venue's fee, rounded up. Null at price zero. */
function tokensToRepay(repay: UsdcUnits, limit: PricePips, schedule: VenueFeeSchedule): TokenUnits | null {
  const perToken = raw(limit) * keptBpsOf(limit, schedule);
  return perToken <= 0n ? null : tokenUnits((raw(repay) * wholeBps * wholeBps + perToken - 1n) / perToken);
}

/** True when the vault takes a sale as an unwind: at most what repays the debt at its limit, and five tokens. */
export function isWithinDebt({ tokenUnits: sold, limitPricePips }: Sale, debt: UsdcUnits, schedule: VenueFeeSchedule) {
  const needed = tokensToRepay(debt, limitPricePips, schedule);
  return needed !== null && compare(sold, add(needed, minOrderTokenUnits)) <= 0;
}

/** A size as the venue takes it: at least its smallest order, and everything rather than an unsellable rest. */
function sellableSizeOf(wanted: TokenUnits, held: TokenUnits): TokenUnits {
  const whole = toShareStep(held, 'down');
  const size = max(wanted, minOrderTokenUnits);
  return compare(subtract(held, size), minOrderTokenUnits) < 0 ? whole : size;
}

/**
 * The size whose sale at its own limit repays an amount, and that limit: a larger size sells deeper, which lowers its
 * limit, which asks for a larger size. All tokens when fewer would not do. The limit is null where the book does not
 * take the size within the bounds; the whole is null for a position below the venue's smallest order.
 */
export function repayingSizeOf(
  repayUsdcUnits: UsdcUnits,
  bounds: SaleBounds,
): { readonly tokenUnits: TokenUnits; readonly limitPricePips: PricePips | null } | null {
  const { bids, heldTokenUnits, venueFee } = bounds;
  const whole = toShareStep(heldTokenUnits, 'down');
  if (compare(whole, minOrderTokenUnits) < 0) return null;
  let size = sellableSizeOf(minOrderTokenUnits, heldTokenUnits);
  for (let round = 0; round < maxRounds; round += 1) {
    const limit = saleLimitOf({ bids }, { ...bounds, tokenUnits: size });
    if (limit === null) return { tokenUnits: size, limitPricePips: null };
    const needed = tokensToRepay(repayUsdcUnits, limit, venueFee);
    const next = needed === null ? whole : sellableSizeOf(toShareStep(needed, 'up'), heldTokenUnits);
    if (compare(next, size) <= 0) return { tokenUnits: size, limitPricePips: limit };
    size = next;
  }
  return { tokenUnits: whole, limitPricePips: saleLimitOf({ bids }, { ...bounds, tokenUnits: whole }) };
}
