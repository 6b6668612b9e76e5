import type { VenueSim } from '@core/venue-sim';
import { VenueControl } from '@core/venue-sim/control';

/** Price of YES at which a market stands from the start on, as a decimal; null keeps the price that it has. */
export type StartPrice = (market: { readonly minutesLeft: number; readonly yesPips: bigint }) => string | null;

export const ownPrice: StartPrice = () => null;

/** Near enough for a shock to break a cover well above the price of a liquidation. */
export const nearMinutes = 120;

/** Markets that end within two hours stand at 82 cents of their likelier side, where a leverage of three is covered. */
export const likelyWhereNear: StartPrice = ({ minutesLeft, yesPips }) => {
  if (minutesLeft > nearMinutes) return null;
  return yesPips >= 5_000n ? '0.82' : '0.18';
};

/**
 * Pin the price of every market that trades. A program that starts to watch afterwards sees one price only: its average
 * is that price from the first moment, and no test waits for it.
 */
export async function standStill({ url, venue }: VenueSim, priceOf: StartPrice): Promise<void> {
  const control = new VenueControl(url);
  for (const { market } of venue.markets.listed) {
    const yesPips = market.midPips();
    if (market.stage !== 'trading' || !market.isListed || yesPips === null) continue;
    const endMs = market.definition.tradingEndMs ?? Number.POSITIVE_INFINITY;
    const to = priceOf({ minutesLeft: (endMs - venue.nowMs) / 60_000, yesPips });
    await control.pin([market.slug], to ?? undefined);
  }
}
