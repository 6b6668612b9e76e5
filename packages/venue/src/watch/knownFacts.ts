import { type MarketFacts, type MarketOverlay, marketFactsOf, type VenueMarket } from '@core/market';
import type { PricePips } from '@core/pricing';
import type { WatchedMarket } from './watchedMarket.ts';

interface Known {
  readonly overlay: MarketOverlay;
  readonly assets: ReadonlySet<string>;
  readonly bookTickPricePips: PricePips | null;
  readonly facts: MarketFacts;
}

/**
 * The facts of each market, worked out again when its record, its overlay, the supported assets or the tick of its book
 * are other ones. A book's tick is newer than the record's.
 */
export class KnownFacts {
  readonly #known = new WeakMap<VenueMarket, Known>();

  factsOf(market: Pick<WatchedMarket, 'record' | 'overlay'>, inputs: Omit<Known, 'overlay' | 'facts'>): MarketFacts {
    const { record, overlay } = market;
    const { assets, bookTickPricePips } = inputs;
    const entry = this.#known.get(record);
    const isSame = entry?.overlay === overlay && entry.assets === assets;
    if (isSame && entry.bookTickPricePips === bookTickPricePips) return entry.facts;
    const recorded = marketFactsOf(record, overlay, assets);
    const facts = { ...recorded, tickPricePips: bookTickPricePips ?? recorded.tickPricePips };
    this.#known.set(record, { overlay, ...inputs, facts });
    return facts;
  }
}
