import type { UsdPips } from '@core/pricing';
import type { ListedMarket } from '@core/store';
import type { VenueMarket } from '@core/venue';

/** Digits of a traded or held amount that make a difference: below one percent nothing is decided or shown on it. */
const shownDigits = 3;

/**
 * What could make a difference to a client, as text: while it stays the same, a listed market is not written again.
 * Prices, liquidity and the state of a game come from the live feeds and not from the catalogue; traded and held
 * amounts count by their leading digits.
 */
export function shownTextOf(listed: ListedMarket): string {
  const record = listed.record as VenueMarket;
  const shown = {
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
  return JSON.stringify(shown, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
}

function leadingOf(amount: UsdPips | null): string | null {
  if (amount === null) return null;
  const text = amount.toString();
  return text.slice(0, shownDigits).padEnd(text.length, '0');
}
