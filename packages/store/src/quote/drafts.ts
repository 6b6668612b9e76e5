import type { PricedQuote, QuoteRequest, Side } from '@core/policy';

/** A draft quote: the request that a promotion replays. Lives 24 hours, then it is not found. */
export interface DraftRecord {
  /** `dro_…` */
  readonly id: string;
  readonly partnerId: string;
  /** Lower-case EVM address. */
  readonly walletAddress: string;
  readonly marketId: string;
  readonly side: Side;
  /** 12 bytes as 0x hex: the part of the seed all promotions share, so that only one of them can ever open. */
  readonly seedPrefix: string;
  /** Promotions so far; the next one signs with this counter plus one in the last four bytes. */
  readonly promotionCount: number;
  readonly request: QuoteRequest;
  readonly figures: PricedQuote;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

export type NewDraft = Omit<DraftRecord, 'id' | 'promotionCount' | 'expiresAtMs'>;

export const draftLifetimeMs = 24 * 60 * 60 * 1_000;

export interface DraftStore {
  create(draft: NewDraft): Promise<DraftRecord>;
  /** Null when unknown, expired or another user's: the caller cannot distinguish the three. */
  findOwn(owner: DraftOwner): Promise<DraftRecord | null>;
  /** Takes the next promotion counter (1, 2, …) atomically. Null as `findOwn`. */
  takePromotion(owner: DraftOwner): Promise<number | null>;
  /** Deletes at most `limit` expired drafts, returns how many. */
  removeExpired(nowMs: number, limit: number): Promise<number>;
}

export interface DraftOwner {
  readonly id: string;
  readonly partnerId: string;
  readonly walletAddress: string;
  readonly nowMs: number;
}
