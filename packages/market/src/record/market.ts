import { type FieldTable, field, type RecordOf } from '@core/position';
import { marketCategories } from '../subject.ts';
import { type VenueMarket, venueMarketSchema } from './venueMarket.ts';

/** Market statuses of the specification, "States and transitions". */
export const marketStatuses = ['active', 'closed', 'determined', 'finalized', 'disputed'] as const;
export type MarketStatus = (typeof marketStatuses)[number];

/**
 * Every field of a stored market. The record type, the columns of the database and samples follow from this table. Ids
 * and addresses are lower-case hex, token ids decimal strings.
 */
export const marketFields = {
  /** `mkt_…` */
  id: field.text,
  /** Equal to the venue's slug. */
  ticker: field.text,
  /** The condition id, bytes32. */
  venueMarketId: field.hex,
  questionId: field.nullable(field.hex),
  /** The allow-listed oracle that derives the condition; null when none does (then it is never quoted). */
  oracleAddress: field.nullable(field.hex),
  yesTokenId: field.text,
  noTokenId: field.text,
  /** The vault's outcome registry; null until registered. */
  yesOutcomeId: field.nullable(field.integer),
  noOutcomeId: field.nullable(field.integer),
  title: field.nullable(field.text),
  yesSubTitle: field.nullable(field.text),
  noSubTitle: field.nullable(field.text),
  category: field.oneOf(marketCategories),
  eventTicker: field.text,
  eventTitle: field.text,
  seriesTicker: field.nullable(field.text),
  /** Markets that resolve on one event (a crypto hour, a game) share a borrow cap under this key. */
  clusterKey: field.nullable(field.text),
  tags: field.texts,
  status: field.oneOf(marketStatuses),
  closeTimeMs: field.nullable(field.instant),
  latestEnterAtMs: field.nullable(field.instant),
  discoveredAtMs: field.instant,
  /** The venue's record as last parsed. Null when the stored one is unreadable: such a market has no quotes. */
  record: field.json<VenueMarket>(),
  /** The payout vector read from the chain; empty until reported. [1, 1] over 2 is a void. */
  payoutNumerators: field.uint256s,
  payoutDenominator: field.nullable(field.uint256),
  payoutsReportedAtMs: field.nullable(field.instant),
  /** Set by an operator: no new positions. The reason may be empty. */
  disabledReason: field.nullable(field.text),
  /** Counter that grows with every change of any market. */
  version: field.bigint,
  updatedAtMs: field.instant,
} as const satisfies FieldTable;

/** A listed market. */
export interface MarketRecord extends RecordOf<typeof marketFields> {}

/** Columns of a market whose type in the database differs from that of the record. */
interface StoredColumns {
  /** Decimal text: a payout vector may hold any uint256. */
  readonly payoutNumerators: readonly string[] | null;
  readonly payoutDenominator: string | null;
  /** Domain JSON. */
  readonly record: unknown;
}

/** A market as its row has it. */
export type MarketRow = Omit<MarketRecord, keyof StoredColumns> & StoredColumns;

/**
 * Return the record of a row. An unreadable venue record becomes null:
 * packages/market/DECISIONS.md#an-unreadable-venue-record-of-a-stored-market-is-null.
 */
export function marketRecordOf(row: MarketRow): MarketRecord {
  return {
    ...row,
    payoutNumerators: (row.payoutNumerators ?? []).map(BigInt),
    payoutDenominator: row.payoutDenominator === null ? null : BigInt(row.payoutDenominator),
    record: venueMarketSchema.safeParse(row.record).data ?? null,
  };
}

/** Fields that an update of the catalogue may change; condition, question and tokens are the identity of a market. */
export const refreshedFields = [
  'oracleAddress',
  'title',
  'yesSubTitle',
  'noSubTitle',
  'category',
  'eventTicker',
  'eventTitle',
  'seriesTicker',
  'clusterKey',
  'tags',
  'closeTimeMs',
  'latestEnterAtMs',
  'record',
] as const satisfies readonly (keyof MarketRecord)[];

/** Fields that identify a market: they never change after its listing. */
export const identityFields = [
  'ticker',
  'venueMarketId',
  'questionId',
  'yesTokenId',
  'noTokenId',
] as const satisfies readonly (keyof MarketRecord)[];

/** The catalogue's part of a market. */
export type ListedMarket = Pick<MarketRecord, (typeof identityFields | typeof refreshedFields)[number]> & {
  readonly record: VenueMarket;
};
