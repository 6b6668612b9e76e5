import type { Market } from '@core/sdk';
import { dollars, times } from '../money.ts';
import type { TicketOrder } from './ticketOrder.ts';

const wholeBps = 10_000n;
/** Notionals in USD for which a market lists its maximum leverage. */
const listedUsd = [100, 500, 1_000, 10_000] as const;

type Place = Pick<TicketOrder, 'side' | 'leverageBps'>;

/** Amounts of a wallet that limit an order. */
export interface WalletLimits {
  /** USDC balance in units. */
  readonly usdcUnits: bigint;
  /** Remaining limit in pips. */
  readonly remainingPips: bigint;
}

/**
 * Return the largest size in pips that a side grants at a leverage, as far as the market shows it: exact at the minimum
 * leverage, the largest listed notional above it. Null where none is shown.
 */
export function grantedSizeOf(market: Market, { side, leverageBps }: Place): bigint | null {
  const largest = market[`max_notional_${side}_usd_pips`];
  if (largest === null || leverageBps <= market.leverage.min_bps) return largest === null ? null : BigInt(largest);
  const listed = market.leverage.max_market_leverage_per_notional[side];
  const usd = listedUsd.findLast((size) => listed[`at${size}_usd_bps`] >= leverageBps);
  if (usd === undefined) return null;
  // What the pool lends carries less notional at more leverage: the capacity is that of the highest.
  return minimumOf([BigInt(usd) * wholeBps, BigInt(largest), pipsOf(market[`capacity_max_notional_${side}_usd_pips`])]);
}

/**
 * Return the largest size now in pips: the granted one, within the remaining limit of the wallet and what its balance
 * pays at this leverage with a tenth of it reserved for fees. Null where the market shows none.
 * @param wallet null for a visitor.
 */
export function largestSizeOf(market: Market, order: Place, wallet: WalletLimits | null): bigint | null {
  const granted = grantedSizeOf(market, order);
  if (granted === null || wallet === null) return granted;
  const payable = ((((wallet.usdcUnits / 100n) * 9n) / 10n) * BigInt(order.leverageBps)) / wholeBps;
  const remaining = wallet.remainingPips < 0n ? 0n : wallet.remainingPips;
  return minimumOf([granted, payable, remaining]);
}

/** Return the sentence about the largest size; empty while none is loaded. */
export function largestSizeText(market: Market, order: Place, largestPips: bigint | null): string {
  const { min_bps: minBps } = market.leverage;
  const overall = grantedSizeOf(market, { ...order, leverageBps: minBps });
  if (overall === null) return '';
  if (largestPips === null) {
    return `At ${times(order.leverageBps)} less than $100 is granted, at ${times(minBps)} up to ${dollars(String(overall))}.`;
  }
  const text = dollars(String(largestPips));
  // Above the minimum leverage more than the listed size may be granted.
  return order.leverageBps > minBps && largestPips < overall && largestPips === grantedSizeOf(market, order)
    ? `At ${times(order.leverageBps)} ${text} is granted, at ${times(minBps)} up to ${dollars(String(overall))}.`
    : `Maximum size now ${text}.`;
}

const pipsOf = (pips: string | null): bigint | null => (pips === null ? null : BigInt(pips));

function minimumOf(sizes: readonly (bigint | null)[]): bigint {
  const amounts = sizes.filter((size) => size !== null);
  return amounts.reduce((minimum, size) => (size < minimum ? size : minimum));
}
