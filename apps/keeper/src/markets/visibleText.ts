import type { ListedMarket } from '@core/market';
import type { UsdPips } from '@core/pricing';

/** Significant digits of a traded or held amount: nothing is decided or shown on less than one percent. */
const significantDigits = 3;

/**
 * Return the part of a listing that a client can notice, as text: while it is unchanged, a listed market is not written
 * again. Prices, liquidity and the state of a game come from the live feeds, not from the catalogue; traded and held
 * amounts count by their leading digits.
 */
export function visibleTextOf(listed: ListedMarket): string {
  const { record } = listed;
  const visible = {
    ...listed,
    record: {
      ...record,
      volume24hUsdPips: leadingOf(record.volume24hUsdPips),
      openInterestUsdPips: leadingOf(record.openInterestUsdPips),
      liquidityUsdPips: null,
      bestBidPricePips: null,
      bestAskPricePips: null,
      lastTradePricePips: null,
      outcomePricePips: null,
      game: null,
    },
  };
  return JSON.stringify(visible, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
}

function leadingOf(amount: UsdPips | null): string | null {
  if (amount === null) return null;
  const text = amount.toString();
  return text.slice(0, significantDigits).padEnd(text.length, '0');
}
