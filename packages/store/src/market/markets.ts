import type { MarketStatus } from '@core/policy';

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
  /** Every market, by ticker. */
  all(): Promise<readonly MarketRecord[]>;
  /** Markets changed after `version`, oldest change first. 0n gives all. */
  changedSince(version: bigint): Promise<readonly MarketRecord[]>;
  /** Inserts new markets as `active`, refreshes what the venue may change on known ones. Writes outbox events. */
  sync(listed: readonly ListedMarket[], nowMs: number): Promise<CatalogueChanges>;
  /** active → closed → determined → finalized; closed, determined ↔ disputed. */
  moveStatus(id: string, status: MarketStatus, nowMs: number): Promise<StatusMove>;
  recordOutcomes(
    outcomes: readonly { readonly tokenId: string; readonly outcomeId: number }[],
    nowMs: number,
  ): Promise<void>;
  recordPayouts(payouts: MarketPayouts): Promise<boolean>;
  /** A null reason enables the market again; an empty one disables it without telling why. */
  setDisabled(id: string, disabledReason: string | null, nowMs: number): Promise<boolean>;
}

export interface MarketPayouts {
  readonly venueMarketId: string;
  readonly numerators: readonly bigint[];
  readonly denominator: bigint;
  readonly nowMs: number;
}
