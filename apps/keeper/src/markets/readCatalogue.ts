import type { VenueMarket } from '@core/market';
import { type IdentityProblem, isVenueFault, type RecordProblem, type VenueClient, VenueFault } from '@core/venue';

/** Minimum number of records of a step, in as many pages as the venue makes of them. */
const stepRecords = 500;
/** Maximum number of pages of a step: the venue may make them arbitrarily short. */
const maxStepPages = 20;
type Catalogue = Pick<VenueClient, 'cataloguePage'>;

/** Causes for which a record is not listed. `version_unsupported`: its contracts are not those of the vault. */
export type PassProblem = RecordProblem | 'version_unsupported' | Exclude<IdentityProblem, 'ledger_unsupported'>;

/** Returns the cause for which a market that was read is not listed; null for one that counts as read. */
export type ProblemOf = (market: VenueMarket) => PassProblem | null;

/** Result of a complete pass through the catalogue. */
export interface Pass {
  readonly tickers: ReadonlySet<string>;
  /** Causes of records that are not listed, by slug or by number. */
  readonly unreadable: ReadonlyMap<string, PassProblem>;
}

export interface PassStep {
  readonly markets: readonly VenueMarket[];
  /** Result of the pass when this step read its last page; null before that. */
  readonly completed: Pass | null;
  /** Fault of a page that ended the pass early; the markets before it were read. */
  readonly fault: VenueFault | null;
}

/**
 * Reader of trading markets, in steps of about the same number of records and in repeated passes. Finished markets are
 * never read again: their number only grows. A page that cannot be read ends the pass, because its cursor may be the
 * cause.
 */
export class CatalogueReader {
  readonly #venue: Catalogue;
  readonly #problemOf: ProblemOf;
  #pass: RunningPass;

  constructor(venue: Catalogue, problemOf: ProblemOf) {
    this.#venue = venue;
    this.#problemOf = problemOf;
    this.#pass = new RunningPass(problemOf);
  }

  async next(): Promise<PassStep> {
    const pass = this.#pass;
    this.#pass = new RunningPass(this.#problemOf);
    const markets: VenueMarket[] = [];
    try {
      for (let count = 0, pages = 0; count < stepRecords && pages < maxStepPages; pages += 1) {
        const at = pass.cursor === null ? {} : { cursor: pass.cursor };
        const page = await this.#venue.cataloguePage({ closed: false, limit: stepRecords, ...at });
        count += page.markets.length + page.unreadable.length;
        markets.push(...page.markets);
        if (pass.take(page)) return { markets, completed: pass, fault: null };
      }
    } catch (error) {
      if (!isVenueFault(error)) throw error;
      return { markets, completed: null, fault: error };
    }
    this.#pass = pass;
    return { markets, completed: null, fault: null };
  }
}

class RunningPass implements Pass {
  readonly tickers = new Set<string>();
  readonly unreadable = new Map<string, PassProblem>();
  readonly #cursors = new Set<string>();
  readonly #problemOf: ProblemOf;
  cursor: string | null = null;

  constructor(problemOf: ProblemOf) {
    this.#problemOf = problemOf;
  }

  /** Add a page. Return true for the last one. @throws VenueFault when its cursor repeats. */
  take({ markets, unreadable, nextCursor }: Awaited<ReturnType<Catalogue['cataloguePage']>>): boolean {
    for (const market of markets) {
      this.tickers.add(market.ticker);
      const problem = this.#problemOf(market);
      if (problem !== null) this.unreadable.set(market.ticker, problem);
    }
    for (const { slug, problem } of unreadable) {
      this.unreadable.set(slug ?? `record ${this.unreadable.size}`, problem);
    }
    if (nextCursor === null) return true;
    if (this.#cursors.has(nextCursor)) {
      const message = 'the catalogue of the venue repeats a cursor';
      throw new VenueFault({ code: 'venue_answer_malformed', kind: 'retryable', effect: 'no', message });
    }
    this.#cursors.add(nextCursor);
    this.cursor = nextCursor;
    return false;
  }
}
