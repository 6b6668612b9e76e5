import type { PricedQuote, QuoteRequest } from '@core/policy';
import type { Hex, Side } from '@core/position';
import { insertTextOf, selectListOf, valuesOf } from '../database/columns.ts';
import { removeOldest } from '../database/removeOldest.ts';
import type { Sql, Statement } from '../database/sql.ts';
import { createId } from '../ids.ts';

/** A draft quote: the request that a promotion replays. Lives 24 hours, then it is not found. */
export interface DraftRecord {
  /** `dro_…` */
  readonly id: string;
  readonly partnerId: string;
  /** Lower-case EVM address. */
  readonly walletAddress: string;
  readonly marketId: string;
  readonly side: Side;
  /** 12 bytes: the part of the seed that all promotions share, so that only one of them can ever open. */
  readonly seedPrefix: Hex;
  /** Promotions so far; the next one signs with this counter plus one in the last four bytes. */
  readonly promotionCount: number;
  readonly request: QuoteRequest;
  readonly figures: PricedQuote;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

export type NewDraft = Omit<DraftRecord, 'id' | 'promotionCount' | 'expiresAtMs'>;

const draftLifetimeMs = 24 * 60 * 60 * 1_000;

export interface DraftOwner {
  readonly id: string;
  readonly partnerId: string;
  readonly walletAddress: string;
  readonly nowMs: number;
}

const fields = [
  'id',
  'partnerId',
  'walletAddress',
  'marketId',
  'side',
  'seedPrefix',
  'promotionCount',
  'request',
  'figures',
  'createdAtMs',
  'expiresAtMs',
] as const satisfies readonly (keyof DraftRecord)[];

const ownCondition = 'id = $1 AND partner_id = $2 AND wallet_address = lower($3) AND expires_at > $4';
const insert: Statement = { name: 'drafts_insert', text: insertTextOf('drafts', fields) };
const selectOwn: Statement = {
  name: 'drafts_own',
  text: `SELECT ${selectListOf(fields)} FROM drafts WHERE ${ownCondition}`,
};
const takePromotion: Statement = {
  name: 'drafts_promote',
  text: `UPDATE drafts SET promotion_count = promotion_count + 1 WHERE ${ownCondition}
         RETURNING promotion_count AS "promotionCount"`,
};
export const removeExpiredDrafts = removeOldest({ name: 'drafts_expire', table: 'drafts', column: 'expires_at' });

export function createDrafts(sql: Sql) {
  return {
    async create(draft: NewDraft): Promise<DraftRecord> {
      const record: DraftRecord = {
        ...draft,
        id: createId('dro', draft.createdAtMs),
        walletAddress: draft.walletAddress.toLowerCase(),
        promotionCount: 0,
        expiresAtMs: draft.createdAtMs + draftLifetimeMs,
      };
      await sql.count(insert, valuesOf(fields, record));
      return record;
    },
    /** Null when unknown, expired or another user's: the caller cannot distinguish the three. */
    findOwn: (owner: DraftOwner): Promise<DraftRecord | null> => sql.row<DraftRecord>(selectOwn, ownerValuesOf(owner)),
    /** Take the next promotion counter (1, 2, …) atomically. Null as `findOwn`. */
    async takePromotion(owner: DraftOwner): Promise<number | null> {
      const row = await sql.row<{ promotionCount: number }>(takePromotion, ownerValuesOf(owner));
      return row === null ? null : row.promotionCount;
    },
    /** Delete at most `limit` expired drafts. Return their number. */
    removeExpired: (nowMs: number, limit: number): Promise<number> =>
      sql.count(removeExpiredDrafts, [new Date(nowMs), limit]),
  };
}

function ownerValuesOf({ id, partnerId, walletAddress, nowMs }: DraftOwner): unknown[] {
  return [id, partnerId, walletAddress, new Date(nowMs)];
}

export type DraftStore = ReturnType<typeof createDrafts>;
