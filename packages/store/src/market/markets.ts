import type { MarketRecord } from '@core/market';
import type { Hex } from '@core/position';

/** Fields of a market with due work that the keeper needs. */
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
  | 'disabledReason'
>;

/** Market whose outcomes may be registered: its oracle derives its condition. */
export interface UnregisteredMarket extends DueMarket {
  readonly questionId: Hex;
  readonly oracleAddress: Hex;
}

export interface CatalogueChanges {
  readonly discovered: readonly MarketRecord[];
  /** Markets one of whose shown fields changed. */
  readonly updated: readonly MarketRecord[];
}

/** Outcome of a status move: illegal moves change nothing and are reported so that the caller can log them. */
export type StatusMove = 'moved' | 'unchanged' | 'illegal' | 'unknown_market';

/** A market whose positions are being settled. */
export interface SettlingMarket extends Pick<MarketRecord, 'id' | 'ticker'> {
  /** Id of the last position that was settled; empty before the first. */
  readonly settledAfter: string;
}

export interface MarketPayouts {
  readonly venueMarketId: string;
  readonly numerators: readonly bigint[];
  readonly denominator: bigint;
  readonly nowMs: number;
}
