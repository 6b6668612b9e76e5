import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MarketRecord } from '@core/market';
import {
  type ContractTerms,
  depthOf,
  type MarketFigures,
  marketFiguresOf,
  type PolicyConfig,
  type UsageByScope,
  usageSnapshotOf,
} from '@core/policy';
import type { UsdPips } from '@core/pricing';
import type { PartnerRecord, Store } from '@core/store';
import type { MarketWire } from '@core/wire';
import { LRUCache } from 'lru-cache';
import type { OnPoison } from '../http/soundOnes.ts';
import { type KeeperView, keptMarketOf } from './keeperView.ts';
import type { MarketBooks, MarketDirectory } from './marketDirectory.ts';
import { type PoolView, poolUsageOf } from './poolReader.ts';
import { presentMarket, presentPrices, presentRules } from './presentMarket.ts';
import { termsVersionOf } from './termsVersion.ts';

/** A market with all figures one partner sees: each form is written once, for every page and event that shows it. */
export class ListedView {
  readonly record: MarketRecord;
  readonly figures: MarketFigures;
  /** The resource without prices. */
  readonly wire: MarketWire;
  #json: string | null = null;
  #prices: string | null = null;

  constructor(record: MarketRecord, figures: MarketFigures, wire: MarketWire) {
    this.record = record;
    this.figures = figures;
    this.wire = wire;
  }

  get json(): string {
    this.#json ??= JSON.stringify(this.wire);
    return this.#json;
  }

  /** Return the resource with the expanded fields of a query. */
  expandedJson(query: { readonly expand?: readonly string[] | undefined }): string {
    const fields = [this.json.slice(0, -1)];
    if (query.expand?.includes('prices') === true) fields.push(`"prices":${this.#pricesJson}`);
    if (query.expand?.includes('rules') === true) fields.push(JSON.stringify(presentRules(this.record)).slice(1, -1));
    return `${fields.join()}}`;
  }

  get #pricesJson(): string {
    this.#prices ??= JSON.stringify(presentPrices(this.figures.prices));
    return this.#prices;
  }
}

interface BuiltView {
  readonly builtAt: number;
  readonly version: bigint;
  /** Books from which the view was built, besides facts that change seldom. */
  readonly books: MarketBooks;
  readonly view: ListedView | null;
}

interface MarketBoardOptions {
  readonly store: Pick<Store, 'usage'>;
  readonly markets: Pick<MarketDirectory, 'observe' | 'booksOf'>;
  readonly pool: PoolView;
  readonly keeper: Pick<KeeperView, 'policyOf' | 'debtWatchAgeMs'>;
  readonly config: PolicyConfig;
  readonly contract: ContractTerms;
  readonly idNamespace: string;
  readonly maxAgeMs: number;
  /** Called once for each record of a market that cannot be presented: it is left out. */
  readonly onPoison: OnPoison;
}

/** Views a process remembers, over all partners. */
const maxViews = 20_000;
/** Markets that are built before other requests are served: some milliseconds of work. */
const sliceLength = 16;
/** Markets whose counters are read together at most: a short page reads few, a long list asks seldom. */
const maxReadLength = 256;
/** Factor by which a view lives longer while no book of its market has changed. */
const unchangedTimes = 4;

/**
 * Market figures per partner, built for the markets that a page shows and for no other. Eligibility and limits of a
 * market are rebuilt at most every `maxAgeMs` while its books change, at least every fourth, and at once under other
 * terms: a list may be that old, quotes never are.
 */
export class MarketBoard {
  readonly #options: MarketBoardOptions;
  /** By a partner's terms and market. */
  readonly #views = new LRUCache<string, BuiltView>({ max: maxViews });
  readonly #unreadable = new WeakSet<MarketRecord>();

  constructor(options: MarketBoardOptions) {
    this.#options = options;
  }

  /** Return the depth by which a list is sorted. */
  depthOf(record: MarketRecord): UsdPips {
    const { yes, no } = this.#options.markets.booksOf(record);
    return depthOf(yes, no, this.#options.config);
  }

  /**
   * Views of the given markets one after the other, without those that cannot be presented or are listed nowhere. The
   * reader stops when the page is full, and nothing behind it is built.
   */
  async *viewsOf(partner: PartnerRecord, records: readonly MarketRecord[]): AsyncGenerator<ListedView> {
    let readLength = sliceLength;
    for (let start = 0; start < records.length; ) {
      const together = records.slice(start, start + readLength);
      const viewOf = await this.#builderOf(partner, together);
      for (const [index, record] of together.entries()) {
        // A long list is built in slices, so that it delays no one else by more than one of them.
        if (index > 0 && index % sliceLength === 0) await nextTurn();
        const view = viewOf(record);
        if (view !== null) yield view;
      }
      start += together.length;
      readLength = Math.min(maxReadLength, 2 * readLength);
    }
  }

  /** Read the counters of those whose view is no longer good, and give each view as it is asked for. */
  async #builderOf(
    partner: PartnerRecord,
    records: readonly MarketRecord[],
  ): Promise<(record: MarketRecord) => ListedView | null> {
    const terms = termsVersionOf(partner);
    const builtAt = performance.now();
    const goodViews = new Map<MarketRecord, ListedView | null>();
    for (const record of records) {
      const built = this.#views.get(`${terms}:${record.id}`);
      if (built !== undefined && this.#isGood(built, record, builtAt)) goodViews.set(record, built.view);
    }
    const outdated = records.filter((record) => !goodViews.has(record));
    if (outdated.length === 0) return (record) => goodViews.get(record) ?? null;
    const usageOf = await this.#options.store.usage.readMarkets(partner.id, outdated);
    return (record) => {
      const good = goodViews.get(record);
      if (good !== undefined) return good;
      const books = this.#options.markets.booksOf(record);
      const view = this.#buildOrNull(partner, record, usageOf);
      this.#views.set(`${terms}:${record.id}`, { builtAt, version: record.version, books, view });
      return view;
    };
  }

  #isGood({ builtAt, version, books }: BuiltView, record: MarketRecord, now: number): boolean {
    if (version !== record.version) return false;
    const { maxAgeMs, markets } = this.#options;
    if (now - builtAt < maxAgeMs) return true;
    if (now - builtAt >= unchangedTimes * maxAgeMs) return false;
    const { yes, no } = markets.booksOf(record);
    return yes.book === books.yes.book && no.book === books.no.book;
  }

  /** Build a view; null for a market that has none, or whose figures cannot be computed. */
  #buildOrNull(
    partner: PartnerRecord,
    record: MarketRecord,
    usageOf: (record: MarketRecord) => UsageByScope,
  ): ListedView | null {
    try {
      return this.#build(partner, record, usageOf);
    } catch (cause) {
      if (!this.#unreadable.has(record)) this.#options.onPoison(record, cause);
      this.#unreadable.add(record);
      return null;
    }
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
    const market = keptMarketOf(record, snapshot);
    const config = keeper.policyOf(market);
    const debtWatchAgeMs = keeper.debtWatchAgeMs(market);
    const figures = marketFiguresOf({ snapshot, terms, usage, config, debtWatchAgeMs }, contract);
    const wire = presentMarket({ record, figures, terms, idNamespace });
    return wire === null ? null : new ListedView(record, figures, wire);
  }
}
