import type { MarketFacts } from '@core/policy';
import { type MarketOverlay, marketFactsOf } from '../market/marketFacts.ts';
import type { VenueMarket } from '../port/venueMarket.ts';
import type { WatchedMarket } from './watchedMarket.ts';

interface Known {
  readonly overlay: MarketOverlay;
  readonly assets: ReadonlySet<string>;
  readonly facts: MarketFacts;
}

/** The facts of each market, worked out again when its record, its overlay or the supported assets are other ones. */
export class KnownFacts {
  readonly #known = new WeakMap<VenueMarket, Known>();

  factsOf({ record, overlay }: Pick<WatchedMarket, 'record' | 'overlay'>, assets: ReadonlySet<string>): MarketFacts {
    const known = this.#known.get(record);
    if (known !== undefined && known.overlay === overlay && known.assets === assets) return known.facts;
    const facts = marketFactsOf(record, overlay, assets);
    this.#known.set(record, { overlay, assets, facts });
    return facts;
  }
}
