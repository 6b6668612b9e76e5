import type { UsdcUnits, UsdPips } from '@core/pricing';
import { selectListOf, valuesOf } from '../database/columns.ts';
import type { Sql, Statement } from '../database/sql.ts';
import { positionIdOf } from '../ids.ts';
import { counterKeysOf } from './counterKeys.ts';
import {
  type BorrowScope,
  type NotionalScope,
  type QuoteRecord,
  type QuoteStore,
  type ReserveLimits,
  type ReserveOutcome,
  type ReserveRequest,
} from './quotes.ts';

/** In the order of the table's columns: the statement builds a row of that type. */
export const quoteFields = [
  'id',
  'draftId',
  'partnerId',
  'walletAddress',
  'marketId',
  'side',
  'positionKey',
  'positionId',
  'positionSeed',
  'digest',
  'signatureExpirySeconds',
  'request',
  'figures',
  'createdAtMs',
  'riskSignature',
] as const satisfies readonly (keyof QuoteRecord)[];

const places = (first: number, count: number): string =>
  Array.from({ length: count }, (_, index) => `$${first + index}`).join(', ');

const reserve: Statement = {
  name: 'quotes_reserve',
  text: `SELECT outcome, measure, scope, current_amount AS "currentAmount", limit_amount AS "limitAmount",
                active_amount AS "activeAmount", in_flight_amount AS "inFlightAmount"
         FROM reserve_quote(ROW(${places(1, quoteFields.length)})::quotes, ${places(quoteFields.length + 1, 7)})`,
};
const columns = selectListOf(quoteFields);
const selectById: Statement = { name: 'quotes_by_id', text: `SELECT ${columns} FROM quotes WHERE id = $1` };
const selectByDigest: Statement = {
  name: 'quotes_by_digest',
  text: `SELECT ${columns} FROM quotes WHERE digest = $1`,
};
const selectByKey: Statement = {
  name: 'quotes_by_key',
  text: `SELECT ${columns} FROM quotes WHERE position_key = $1 ORDER BY created_at, id`,
};

export const removeReleased: Statement = {
  name: 'quotes_remove_released',
  // What another transaction holds is left for the next time: nothing here ever waits.
  text: `WITH gone AS (
           DELETE FROM reservations WHERE position_key IN (
             SELECT position_key FROM reservations WHERE state = 'released' AND release_at <= $1
             ORDER BY release_at LIMIT $2 FOR UPDATE SKIP LOCKED
           ) RETURNING position_key
         ), dropped AS (
           DELETE FROM quotes USING gone WHERE quotes.position_key = gone.position_key
         ) SELECT count(*) AS "goneCount" FROM gone`,
};

interface ReserveRow {
  readonly outcome: 'reserved' | 'used' | 'refused';
  readonly measure: 'notional' | 'borrow' | null;
  readonly scope: string | null;
  readonly currentAmount: unknown;
  readonly limitAmount: unknown;
  readonly activeAmount: unknown;
  readonly inFlightAmount: unknown;
}

export function createQuotes(sql: Sql): QuoteStore {
  return {
    async reserve(request) {
      const row = await sql.row<ReserveRow>(reserve, reserveValuesOf(request));
      if (row === null) {
        throw new Error('reserve_quote returned nothing');
      }
      return outcomeOf(row);
    },
    async removeReleased(beforeMs, limit) {
      const row = await sql.row<{ goneCount: bigint }>(removeReleased, [new Date(beforeMs), limit]);
      return Number(row?.goneCount ?? 0n);
    },
    byId: (id) => sql.row<QuoteRecord>(selectById, [id]),
    byDigest: (digest) => sql.row<QuoteRecord>(selectByDigest, [digest.toLowerCase()]),
    byPositionKey: (positionKey) => sql.rows<QuoteRecord>(selectByKey, [positionKey.toLowerCase()]),
  };
}

function reserveValuesOf({ clusterKey, limits, releaseAtMs, quote }: ReserveRequest): unknown[] {
  const { figures } = quote.figures;
  const record = storedQuoteOf(quote);
  const counters = counterKeysOf({ ...record, clusterKey });
  return [
    ...valuesOf(quoteFields, record),
    counters.map(({ key }) => key),
    counters.map(({ scope }) => scope),
    figures.notionalUsdPips,
    figures.borrowUsdcUnits,
    new Date(releaseAtMs),
    notionalLimitsOf(limits),
    borrowLimitsOf(limits),
  ];
}

/** The record as it is stored: hashes and addresses in lower case, with the id of its position. */
export function storedQuoteOf(quote: ReserveRequest['quote']): QuoteRecord {
  return {
    ...quote,
    walletAddress: quote.walletAddress.toLowerCase(),
    positionKey: quote.positionKey.toLowerCase(),
    digest: quote.digest.toLowerCase(),
    positionId: positionIdOf(quote.positionKey),
  };
}

/** In the order `reserve_quote` documents: user, market, side, global, partner. */
export function notionalLimitsOf(limits: ReserveLimits): readonly (UsdPips | null)[] {
  return [
    limits.userNotionalUsdPips,
    limits.marketNotionalUsdPips,
    limits.sideNotionalUsdPips,
    limits.globalNotionalUsdPips,
    limits.partnerNotionalUsdPips,
  ];
}

/** In the order of `reserve_quote`: user, market, side, cluster, total, the pool's free liquidity, the outcome. */
export function borrowLimitsOf(limits: ReserveLimits): readonly (UsdcUnits | null)[] {
  return [
    limits.userBorrowUsdcUnits,
    limits.marketBorrowUsdcUnits,
    limits.sideBorrowUsdcUnits,
    limits.clusterBorrowUsdcUnits,
    limits.totalBorrowUsdcUnits,
    limits.poolFreeLiquidityUsdcUnits,
    limits.outcomePromisedUsdcUnits,
  ];
}

function outcomeOf(row: ReserveRow): ReserveOutcome {
  if (row.outcome !== 'refused') {
    return { kind: row.outcome };
  }
  if (row.measure === 'notional') {
    return {
      kind: 'refused',
      measure: 'notional',
      scope: row.scope as NotionalScope,
      currentUsdPips: row.currentAmount as UsdPips,
      limitUsdPips: row.limitAmount as UsdPips,
      activeUsdPips: row.activeAmount as UsdPips,
      inFlightUsdPips: row.inFlightAmount as UsdPips,
    };
  }
  return {
    kind: 'refused',
    measure: 'borrow',
    scope: row.scope as BorrowScope,
    currentUsdcUnits: row.currentAmount as UsdcUnits,
    limitUsdcUnits: row.limitAmount as UsdcUnits,
  };
}
