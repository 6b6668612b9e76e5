import { insertTextOf, selectListOf, valuesOf } from '../database/columns.ts';
import { removeOldest } from '../database/removeOldest.ts';
import type { Sql, Statement } from '../database/sql.ts';
import { createId } from '../ids.ts';
import { type DraftOwner, type DraftRecord, type DraftStore, draftLifetimeMs } from './drafts.ts';

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

export function createDrafts(sql: Sql): DraftStore {
  return {
    async create(draft) {
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
    findOwn: (owner) => sql.row<DraftRecord>(selectOwn, ownerValuesOf(owner)),
    async takePromotion(owner) {
      const row = await sql.row<{ promotionCount: number }>(takePromotion, ownerValuesOf(owner));
      return row === null ? null : row.promotionCount;
    },
    removeExpired: (nowMs, limit) => sql.count(removeExpiredDrafts, [new Date(nowMs), limit]),
  };
}

function ownerValuesOf({ id, partnerId, walletAddress, nowMs }: DraftOwner): unknown[] {
  return [id, partnerId, walletAddress, new Date(nowMs)];
}
