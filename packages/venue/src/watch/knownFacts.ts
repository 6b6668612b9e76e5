import type { MarketFacts } from '@core/policy';
import type { PricePips } from '@core/pricing';
import { type MarketOverlay, marketFactsOf } from '../market/marketFacts.ts';
import type { VenueMarket } from '../port/venueMarket.ts';
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

  factsOf(market: Pick<WatchedMarket, 'record' | 'overlay'>, seen: Omit<Known, 'overlay' | 'facts'>): MarketFacts {
    const { record, overlay } = market;
    const { assets, bookTickPricePips } = seen;
    const known = this.#known.get(record);
    const isSame = known?.overlay === overlay && known.assets === assets;
    if (isSame && known.bookTickPricePips === bookTickPricePips) return known.facts;
    const recorded = marketFactsOf(record, overlay, assets);
    const facts = { ...recorded, tickPricePips: bookTickPricePips ?? recorded.tickPricePips };
    this.#known.set(record, { overlay, ...seen, facts });
    return facts;
  }
}
