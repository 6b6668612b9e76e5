import { type AmountKind, amountDecimalsOf, amountStepsOf, pricePips as pipsOf } from '@core/pricing';
import { OrderSide } from '@core/vault';
import type { OrderKind, Side } from '../matching/bookOrder.ts';
import type { SignedOrder } from '../settlement/settlement.ts';
import { formatSize, onePricePips, oneTokenUnits } from '../units/decimals.ts';

/** Minimum size of a sale and of a resting order, in token units. */
const minimumOrderTokenUnits = 5n * oneTokenUnits;
/** Minimum purchase that is filled immediately, in USDC units. */
const minimumMarketUsdcUnits = 1_000_000n;

/** Price and size of a signed order. */
export interface OrderTerms {
  readonly side: Side;
  /** On the tick. */
  readonly pricePips: bigint;
  readonly tokenUnits: bigint;
}

/** Rules by which the amounts of an order are parsed. */
export interface OrderRules {
  readonly kind: OrderKind;
  readonly tickPricePips: bigint;
}

interface Amounts {
  readonly side: Side;
  readonly usdcUnits: bigint;
  readonly tokenUnits: bigint;
}

function amountKindOf(kind: OrderKind, side: Side): AmountKind {
  if (kind !== 'FOK' && kind !== 'FAK') return 'resting';
  return side === 'BUY' ? 'immediateBuy' : 'immediateSell';
}

/** Parse the amounts of an order; a text is the venue's reason for rejecting them. */
export function orderTermsOf(order: SignedOrder, { kind, tickPricePips }: OrderRules): OrderTerms | string {
  const side: Side = order.side === OrderSide.Buy ? 'BUY' : 'SELL';
  const [usdcUnits, tokenUnits] =
    side === 'BUY' ? [order.makerAmount, order.takerAmount] : [order.takerAmount, order.makerAmount];
  if (usdcUnits <= 0n || tokenUnits <= 0n) return 'order is invalid. Amounts must be positive';
  const amounts = { side, usdcUnits, tokenUnits };
  const refusal = amountRefusalOf(amounts, { kind, tickPricePips });
  if (refusal !== null) return refusal;
  const minimumRefusal = minimumRefusalOf(amounts, kind);
  if (minimumRefusal !== null) return minimumRefusal;
  const pricePips = priceOf(amounts, { kind, tickPricePips });
  if (pricePips === null || pricePips < tickPricePips || pricePips > onePricePips - tickPricePips) {
    return 'order is invalid. Price breaks minimum tick size rules';
  }
  return { side, pricePips, tokenUnits };
}

function minimumRefusalOf({ side, usdcUnits, tokenUnits }: Amounts, kind: OrderKind): string | null {
  if (amountKindOf(kind, side) !== 'immediateBuy') {
    return tokenUnits < minimumOrderTokenUnits
      ? `order is invalid. Size (${formatSize(tokenUnits)}) lower than the minimum: 5`
      : null;
  }
  return usdcUnits < minimumMarketUsdcUnits
    ? `invalid amount for a marketable BUY order ($${formatSize(usdcUnits)}), min size: $1`
    : null;
}

function amountRefusalOf({ side, usdcUnits, tokenUnits }: Amounts, { kind, tickPricePips }: OrderRules): string | null {
  const amountKind = amountKindOf(kind, side);
  const steps = amountStepsOf(amountKind, pipsOf(tickPricePips));
  if (usdcUnits % steps.usdcUnits === 0n && tokenUnits % steps.tokenUnits === 0n) return null;
  const { shares, money } = amountDecimalsOf(amountKind, pipsOf(tickPricePips));
  const [maker, taker] = side === 'BUY' ? [money, shares] : [shares, money];
  const orders = `${amountKind === 'resting' ? '' : 'market '}${side === 'BUY' ? 'buy' : 'sell'} orders`;
  return (
    `invalid amounts, the ${orders} maker amount supports a max accuracy of ${maker} decimals, ` +
    `taker amount a max of ${taker} decimals`
  );
}

/**
 * Return the tick of an order's amounts; null when there is none. The amounts of a resting order are exactly on a tick.
 * Those of an order that is filled immediately may differ by their rounding: a purchase with shares rounded up is at
 * the tick below, a sale with money rounded up at the tick above.
 */
function priceOf({ side, usdcUnits, tokenUnits }: Amounts, { kind, tickPricePips }: OrderRules): bigint | null {
  const scaled = usdcUnits * onePricePips;
  const tickUnits = tokenUnits * tickPricePips;
  const below = (scaled / tickUnits) * tickPricePips;
  const above = below + tickPricePips;
  if (below * tokenUnits === scaled) return below;
  const amountKind = amountKindOf(kind, side);
  if (amountKind === 'resting') return null;
  const steps = amountStepsOf(amountKind, pipsOf(tickPricePips));
  const isRounded = (pricePips: bigint): boolean => {
    const difference = scaled - pricePips * tokenUnits;
    const size = difference < 0n ? -difference : difference;
    return size < (side === 'BUY' ? steps.tokenUnits * pricePips : steps.usdcUnits * onePricePips);
  };
  if (!isRounded(below) && !isRounded(above)) return null;
  return side === 'BUY' ? below : above;
}
