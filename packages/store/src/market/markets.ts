import type { MarketStatus } from '@core/policy';
import type { FinalizedPage, FinalizedQuery } from './finalizedMarkets.ts';

/** A listed market. Ids and addresses are lower-case hex, token ids decimal strings. */
export interface MarketRecord {
  /** `mkt_…` */
  readonly id: string;
  /** Equal to the venue's slug. */
  readonly ticker: string;
  /** The condition id, bytes32. */
  readonly venueMarketId: string;
  readonly questionId: string | null;
  /** The allow-listed oracle that derives the condition; null when none does (then it is never quoted). */
  readonly oracleAddress: string | null;
  readonly yesTokenId: string;
  readonly noTokenId: string;
  /** The vault's outcome registry; null until registered. */
  readonly yesOutcomeId: number | null;
  readonly noOutcomeId: number | null;
  readonly title: string | null;
  readonly yesSubTitle: string | null;
  readonly category: string;
  readonly eventTicker: string;
  readonly eventTitle: string;
  readonly seriesTicker: string | null;
  /** Markets that resolve on one event (a crypto hour, a game) share a borrow cap under this key. */
  readonly clusterKey: string | null;
  readonly tags: readonly string[];
  readonly status: MarketStatus;
  readonly closeTimeMs: number | null;
  readonly latestEnterAtMs: number | null;
  readonly discoveredAtMs: number;
  /** The venue's record as the venue room parsed it (`VenueMarket`), kept whole. */
  readonly record: unknown;
  /** The payout vector read from the chain; empty until reported. [1, 1] over 2 is a void. */
  readonly payoutNumerators: readonly bigint[];
  readonly payoutDenominator: bigint | null;
  readonly payoutsReportedAtMs: number | null;
  /** Set by an operator: no new positions. The reason may be empty. */
  readonly disabledReason: string | null;
  /** Grows with every change of any market. */
  readonly version: bigint;
  readonly updatedAtMs: number;
}

/** What the keeper needs of a market for which something is due. */
export type DueMarket = Pick<
  MarketRecord,
  | 'id'
  | 'ticker'
  | 'venueMarketId'
  | 'questionId'
  | 'oracleAddress'
  | 'yesTokenId'
  | 'noTokenId'
  | 'status'
  | 'closeTimeMs'
>;

/** What a catalogue sync knows about one market. Identity (condition, tokens) never changes after listing. */
export type ListedMarket = Omit<
  MarketRecord,
  | 'id'
  | 'yesOutcomeId'
  | 'noOutcomeId'
  | 'status'
  | 'discoveredAtMs'
  | 'payoutNumerators'
  | 'payoutDenominator'
  | 'payoutsReportedAtMs'
  | 'disabledReason'
  | 'version'
  | 'updatedAtMs'
>;

export interface CatalogueChanges {
  readonly discovered: readonly MarketRecord[];
  /** Markets one of whose shown fields changed. */
  readonly updated: readonly MarketRecord[];
}

/** Outcome of a status move: illegal moves change nothing and are reported so that the caller can log them. */
export type StatusMove = 'moved' | 'unchanged' | 'illegal' | 'unknown_market';

export interface MarketStore {
  byTicker(ticker: string): Promise<MarketRecord | null>;
  byId(id: string): Promise<MarketRecord | null>;
  byTokenId(tokenId: string): Promise<MarketRecord | null>;
  byVenueMarketId(venueMarketId: string): Promise<MarketRecord | null>;
  /**
   * The same, kept from changing until the transaction ends: an event of a position then carries the market as it is
   * when the event commits.
   */
  lockByVenueMarketId(venueMarketId: string): Promise<MarketRecord | null>;
  /** Active markets an outcome of which the vault does not know yet, soonest close first; without those named. */
  unregistered(query: { readonly except: readonly string[]; readonly limit: number }): Promise<readonly DueMarket[]>;
  /**
   * Markets that are not final and may have payouts on chain: closed by time or by status, or with an oracle that
   * speaks. Without those named, as long as they have the status they are named with.
   */
  unresolved(query: {
    readonly nowMs: number;
    readonly except: readonly Pick<DueMarket, 'id' | 'status'>[];
    readonly limit: number;
  }): Promise<readonly DueMarket[]>;
  /** Every market that is not final, and the version up to which that is true. */
  unfinalized(): Promise<{ readonly records: readonly MarketRecord[]; readonly version: bigint }>;
  /** One page of finalized markets, cut by the database. */
  listFinalized(query: FinalizedQuery): Promise<FinalizedPage<MarketRecord>>;
  /** Whether any market, in any status, belongs to the event or to the series. */
  hasEvent(eventTicker: string): Promise<boolean>;
  hasSeries(seriesTicker: string): Promise<boolean>;
  /** The version of the last change of any market; 0n without markets. */
  version(): Promise<bigint>;
  /** Markets changed after `version`, oldest change first. 0n gives all. */
  changedSince(version: bigint): Promise<readonly MarketRecord[]>;
  /** Inserts new markets as `active`, refreshes what the venue may change on known ones. Writes outbox events. */
  sync(listed: readonly ListedMarket[], nowMs: number): Promise<CatalogueChanges>;
  /**
   * active → closed → determined → finalized; closed, determined ↔ disputed. Writes an event for the market and for
   * each of its positions that is not finished.
   */
  moveStatus(id: string, status: MarketStatus, nowMs: number): Promise<StatusMove>;
  /**
   * Announces the positions of markets that closed before an instant and have no payouts, once per market. Returns how
   * many markets.
   */
  announceUnresolved(query: {
    readonly closedBeforeMs: number;
    readonly nowMs: number;
    readonly limit: number;
  }): Promise<number>;
  recordOutcomes(
    outcomes: readonly { readonly tokenId: string; readonly outcomeId: number }[],
    nowMs: number,
  ): Promise<void>;
  recordPayouts(payouts: MarketPayouts): Promise<boolean>;
  /** A null reason enables the market again; an empty one disables it without a reason. */
  setDisabled(id: string, disabledReason: string | null, nowMs: number): Promise<boolean>;
}

export interface MarketPayouts {
  readonly venueMarketId: string;
  readonly numerators: readonly bigint[];
  readonly denominator: bigint;
  readonly nowMs: number;
}
