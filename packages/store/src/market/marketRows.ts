import { selectListOf } from '../database/columns.ts';
import type { ListedMarket, MarketRecord } from './markets.ts';

/** What the venue may change on a listed market; its condition, question and tokens are its identity. */
export const refreshedFields = [
  'oracleAddress',
  'title',
  'yesSubTitle',
  'category',
  'eventTicker',
  'eventTitle',
  'seriesTicker',
  'clusterKey',
  'tags',
  'closeTimeMs',
  'latestEnterAtMs',
  'record',
] as const satisfies readonly (keyof ListedMarket)[];

const identityFields = [
  'ticker',
  'venueMarketId',
  'questionId',
  'yesTokenId',
  'noTokenId',
] as const satisfies readonly (keyof ListedMarket)[];

export const insertFields = [
  'id',
  ...identityFields,
  ...refreshedFields,
  'status',
  'discoveredAtMs',
  'updatedAtMs',
] as const;

export const marketFields = [
  ...insertFields,
  'yesOutcomeId',
  'noOutcomeId',
  'payoutNumerators',
  'payoutDenominator',
  'payoutsReportedAtMs',
  'disabledReason',
  'version',
] as const satisfies readonly (keyof MarketRecord)[];

/** Every column of a market, as its statements name them. */
export const columns = selectListOf(marketFields);
/** What every change of a row sets; `$2` is the time of the change. */
export const touched = 'version = next_market_version(), updated_at = $2';

/** Payouts are uint256 and therefore text in the table. */
export type MarketRow = Omit<MarketRecord, 'payoutNumerators' | 'payoutDenominator'> & {
  readonly payoutNumerators: readonly string[] | null;
  readonly payoutDenominator: string | null;
};

export function recordOf(row: MarketRow): MarketRecord {
  return {
    ...row,
    payoutNumerators: (row.payoutNumerators ?? []).map(BigInt),
    payoutDenominator: row.payoutDenominator === null ? null : BigInt(row.payoutDenominator),
  };
}
