import type { PricedQuote, QuoteRequest } from '@core/policy';
import type { Hex, Side } from '@core/position';
import type { UsdcUnits, UsdPips } from '@core/pricing';
import { selectListOf } from '../database/columns.ts';
import type { Sql, Statement } from '../database/sql.ts';
import { positionIdOf } from '../ids.ts';

/** A real quote as stored. Its signature is not kept: signing the digest again gives the same bytes. */
export interface QuoteRecord {
  /** `off_…` */
  readonly id: string;
  readonly draftId: string | null;
  readonly partnerId: string;
  /** Lower-case EVM address. */
  readonly walletAddress: string;
  readonly marketId: string;
  readonly side: Side;
  /** bytes32; shared by the promotions of one draft. */
  readonly positionKey: Hex;
  /** `pos_…`, a function of the key. */
  readonly positionId: string;
  /** bytes16. */
  readonly positionSeed: Hex;
  /** bytes32 that the quote signer signs. */
  readonly digest: Hex;
  readonly signatureExpirySeconds: bigint;
  readonly request: QuoteRequest;
  readonly figures: PricedQuote;
  readonly createdAtMs: number;
  /** Signature of the quote signer over exit time and ladder, 65 bytes; empty in quotes of earlier versions. */
  readonly riskSignature: Hex | '';
}

/** Caps on the counters of one quote, by scope. Null bounds nothing. Notional in pips, borrow in units. */
export interface ReserveLimits {
  readonly user: Caps<'notionalUsdPips' | 'borrowUsdcUnits'>;
  readonly cluster: Caps<'borrowUsdcUnits'>;
  /** `promisedUsdcUnits`: the pool's cap on the outcome, less what the pool has lent on it. */
  readonly side: Caps<'notionalUsdPips' | 'borrowUsdcUnits' | 'promisedUsdcUnits'>;
  readonly market: Caps<'notionalUsdPips' | 'borrowUsdcUnits'>;
  readonly partner: Caps<'notionalUsdPips'>;
  /** `promisedUsdcUnits`: the pool's `freeLiquidity`, from which loans have been subtracted. */
  readonly global: Caps<'notionalUsdPips' | 'borrowUsdcUnits' | 'promisedUsdcUnits'>;
}

type Caps<Measure extends keyof CounterCaps> = Pick<CounterCaps, Measure>;

/** Measures of a counter that a cap may bound. */
interface CounterCaps {
  /** Notional of active positions and live quotes. */
  readonly notionalUsdPips: UsdPips | null;
  /** Borrow of live quotes, pending positions and loans. */
  readonly borrowUsdcUnits: UsdcUnits | null;
  /** Borrow of live quotes and pending positions. */
  readonly promisedUsdcUnits: UsdcUnits | null;
}

/** Quote to store, with the counters and caps of its reservation. */
export interface ReserveRequest {
  /** Its figures say which notional and borrow count against the caps. */
  readonly quote: Omit<QuoteRecord, 'positionId'>;
  readonly clusterKey: string | null;
  /** Signature expiry plus the policy's grace: until then a block may still carry the transaction. */
  readonly releaseAtMs: number;
  readonly limits: ReserveLimits;
}

/** Fields of a quote, each a column of its table. */
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

const columns = selectListOf(quoteFields);
const selectById: Statement = { name: 'quotes_by_id', text: `SELECT ${columns} FROM quotes WHERE id = $1` };
const selectByDigests: Statement = {
  name: 'quotes_by_digests',
  text: `SELECT ${columns} FROM quotes WHERE digest = ANY($1)`,
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

export function createQuotes(sql: Sql) {
  return {
    /**
     * Delete quotes whose reservation was released before that instant, and the reservation; at most `limit` keys.
     * Return how many. A quote of which a position came is kept: the position is folded from its terms.
     */
    async removeReleased(beforeMs: number, limit: number): Promise<number> {
      const row = await sql.row<{ goneCount: bigint }>(removeReleased, [new Date(beforeMs), limit]);
      return Number(row?.goneCount ?? 0n);
    },
    byId: (id: string): Promise<QuoteRecord | null> => sql.row<QuoteRecord>(selectById, [id]),
    /** Return the quotes with these digests, in no order. */
    byDigests: (digests: readonly string[]): Promise<readonly QuoteRecord[]> =>
      sql.rows<QuoteRecord>(selectByDigests, [digests.map((digest) => digest.toLowerCase())]),
    /** Quotes of one key, oldest first: more than one only for promotions of a draft. */
    byPositionKey: (positionKey: string): Promise<readonly QuoteRecord[]> =>
      sql.rows<QuoteRecord>(selectByKey, [positionKey.toLowerCase()]),
  };
}

/** Return the record as it is stored: hashes and addresses in lower case, with the id of its position. */
export function storedQuoteOf(quote: ReserveRequest['quote']): QuoteRecord {
  return {
    ...quote,
    walletAddress: quote.walletAddress.toLowerCase(),
    positionKey: lowerCaseOf(quote.positionKey),
    digest: lowerCaseOf(quote.digest),
    positionId: positionIdOf(quote.positionKey),
  };
}

function lowerCaseOf(hex: Hex): Hex {
  return `0x${hex.slice(2).toLowerCase()}`;
}

export type QuoteStore = ReturnType<typeof createQuotes>;
