import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type ContractTerms,
  type MarketFigures,
  marketFiguresOf,
  type UsageByScope,
  usageSnapshotOf,
} from '@core/policy';
import type { MarketRecord, PartnerRecord, Store } from '@core/store';
import type { MarketWire } from '@core/wire';
import type { KeeperView } from './keeperView.ts';
import type { MarketDirectory } from './marketDirectory.ts';
import { type PoolView, poolUsageOf } from './poolReader.ts';
import { presentMarket, presentPrices } from './presentMarket.ts';
import { termsVersionOf } from './termsVersion.ts';

/** A market with all figures one partner sees: each form is written once, for every page and event that shows it. */
export class ListedView {
  readonly record: MarketRecord;
  readonly figures: MarketFigures;
  /** The resource without prices. */
  readonly wire: MarketWire;
  #json: string | null = null;
  #jsonWithPrices: string | null = null;

  constructor(record: MarketRecord, figures: MarketFigures, wire: MarketWire) {
    this.record = record;
    this.figures = figures;
    this.wire = wire;
  }

  get json(): string {
    this.#json ??= JSON.stringify(this.wire);
    return this.#json;
  }

  get jsonWithPrices(): string {
    this.#jsonWithPrices ??= `${this.json.slice(0, -1)},"prices":${JSON.stringify(presentPrices(this.figures.prices))}}`;
    return this.#jsonWithPrices;
  }
}

interface BuiltView {
  readonly builtAt: number;
  readonly version: bigint;
  readonly view: ListedView | null;
}

interface MarketBoardOptions {
  readonly store: Pick<Store, 'usage'>;
  readonly markets: Pick<MarketDirectory, 'observe'>;
  readonly pool: PoolView;
  readonly keeper: Pick<KeeperView, 'policyOf' | 'debtWatchAgeMs'>;
  readonly contract: ContractTerms;
  readonly idNamespace: string;
  readonly maxAgeMs: number;
}

/** Views a process remembers, over all partners. */
const maxViews = 20_000;
/** Markets whose counters are read together and built before other requests are served: some milliseconds of work. */
const sliceLength = 16;

/**
 * Market figures per partner, built for the markets that a page shows and for no other. Eligibility and limits of a
 * market are rebuilt at most every `maxAgeMs`, and at once under other terms: a list may be that old, quotes never are.
 */
export class MarketBoard {
  readonly #options: MarketBoardOptions;
  /** By a partner's terms and market, the oldest first. */
  readonly #views = new Map<string, BuiltView>();

  constructor(options: MarketBoardOptions) {
    this.#options = options;
  }

  /**
   * Views of the given markets one after the other; those of a category that is listed nowhere are left out. The
   * reader stops when the page is full, and nothing behind it is built.
   */
  async *viewsOf(partner: PartnerRecord, records: readonly MarketRecord[]): AsyncGenerator<ListedView> {
    for (let start = 0; start < records.length; start += sliceLength) {
      // A long list is built in slices, so that it delays no one else by more than one of them.
      if (start > 0) await nextTurn();
      for (const view of await this.#sliceOf(partner, records.slice(start, start + sliceLength))) {
        if (view !== null) yield view;
      }
    }
  }

  async #sliceOf(partner: PartnerRecord, records: readonly MarketRecord[]): Promise<readonly (ListedView | null)[]> {
    const terms = termsVersionOf(partner);
    const keyOf = (record: MarketRecord): string => `${terms}:${record.id}`;
    const now = performance.now();
    const isFresh = (record: MarketRecord): boolean => {
      const built = this.#views.get(keyOf(record));
      return built !== undefined && built.version === record.version && now - built.builtAt < this.#options.maxAgeMs;
    };
    const outdated = records.filter((record) => !isFresh(record));
    if (outdated.length > 0) {
      const usageOf = await this.#options.store.usage.readMarkets(partner.id, outdated);
      for (const record of outdated) {
        this.#keep(keyOf(record), {
          builtAt: now,
          version: record.version,
          view: this.#build(partner, record, usageOf),
        });
      }
    }
    return records.map((record) => this.#views.get(keyOf(record))?.view ?? null);
  }

  #keep(key: string, built: BuiltView): void {
    this.#views.delete(key);
    const [oldest] = this.#views.size >= maxViews ? this.#views.keys() : [];
    if (oldest !== undefined) this.#views.delete(oldest);
    this.#views.set(key, built);
  }

  #build(
    partner: PartnerRecord,
    record: MarketRecord,
    usageOf: (record: MarketRecord) => UsageByScope,
  ): ListedView | null {
    const { markets, pool, keeper, contract, idNamespace } = this.#options;
    const { snapshot } = markets.observe(record);
    if (snapshot === null) return null;
    const { terms } = partner;
    const usage = usageSnapshotOf(usageOf(record), poolUsageOf(pool, record));
    const config = keeper.policyOf(snapshot.facts.category);
    const debtWatchAgeMs = keeper.debtWatchAgeMs(record.ticker);
    const figures = marketFiguresOf({ snapshot, terms, usage, config, debtWatchAgeMs }, contract);
    const wire = presentMarket({ record, figures, terms, idNamespace });
    return wire === null ? null : new ListedView(record, figures, wire);
  }
}
