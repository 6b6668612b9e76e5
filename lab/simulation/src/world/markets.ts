import type { MarketDraft, VenueSim } from '@core/venue-sim';
import type { VenueControl } from '@core/venue-sim/control';
import type { Edge } from '../runtime/installEdge.ts';
import type { Physics } from './physics.ts';

export const marketKinds = ['crypto', 'in-play', 'pre-game'] as const;
/** Daily markets of crypto prices, and winners of games that run, or begin later. */
export type MarketKind = (typeof marketKinds)[number];

/** Prices of the first side at which positions open; low odds of a running game move too far for a loan. */
const prices: Readonly<Record<MarketKind, string>> = { crypto: '0.50', 'in-play': '0.75', 'pre-game': '0.50' };
const weekSeconds = 604_800;

/** Return the kind of a market; null for one that no world lists. */
export function kindOf({
  category,
  event,
  groupItemTitle,
  sportsMarketType,
  ...draft
}: MarketDraft): MarketKind | null {
  if (category === 'crypto') {
    return event.series?.recurrence === 'daily' && groupItemTitle === null ? 'crypto' : null;
  }
  if (draft.gameStartMs === null || draft.isNegRisk || sportsMarketType !== 'moneyline') return null;
  return draft.gameStartMs <= Date.now() ? 'in-play' : 'pre-game';
}

export const isListedIn =
  (kinds: readonly MarketKind[]) =>
  (draft: MarketDraft): boolean =>
    kinds.some((kind) => kind === kindOf(draft));

/** Give all traded markets a price that stays, the tick of the world and its delays. */
export async function setMarkets(
  { venue, control }: { readonly venue: VenueSim; readonly control: VenueControl },
  { tickPips, takerDelayMs, venueSettleMs }: Physics,
): Promise<void> {
  const delays = [
    ['taker_delay', { delay: takerDelayMs / 1_000, seconds: weekSeconds }, takerDelayMs],
    ['slow_settle', { delay_seconds: venueSettleMs / 1_000, seconds: weekSeconds }, venueSettleMs],
  ] as const;
  for (const { market } of venue.venue.markets.listed) {
    const kind = kindOf(market.definition);
    if (kind === null || market.stage !== 'trading' || !market.isListed || market.midPips() === null) continue;
    market.tickPricePips = BigInt(tickPips);
    await control.pin([market.slug], prices[kind]);
    for (const [name, params, ms] of delays) if (ms > 0) await control.play(name, market.slug, params);
  }
}

/** Let each message of the venue take longer. */
export function addVenueDelay({ network }: Pick<Edge, 'network'>, { venueAnswerMs }: Physics): void {
  if (venueAnswerMs === 0) return;
  const { latency } = network;
  network.latency = (from, to, byteLength) => {
    const ms = latency(from, to, byteLength);
    return from === 'venue' && to !== '' && ms !== null ? ms + venueAnswerMs : ms;
  };
}
