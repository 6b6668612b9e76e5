import type { PricedQuote, QuoteRequest, Side } from '@core/policy';
import type { UsdcUnits, UsdPips } from '@core/pricing';

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
  /** bytes32 as 0x hex; shared by the promotions of one draft. */
  readonly positionKey: string;
  /** `pos_…`, a function of the key. */
  readonly positionId: string;
  /** bytes16 as 0x hex. */
  readonly positionSeed: string;
  /** bytes32 as 0x hex: what the quote signer signs. */
  readonly digest: string;
  readonly signatureExpirySeconds: bigint;
  readonly request: QuoteRequest;
  readonly figures: PricedQuote;
  readonly createdAtMs: number;
  /** The quote signer's over exit time and ladder, 65 bytes as 0x hex; empty in quotes from before it was made. */
  readonly riskSignature: string;
}

/** Caps of one reservation. Null means no cap. Notional in pips, borrow in units. */
export interface ReserveLimits {
  readonly userNotionalUsdPips: UsdPips | null;
  readonly marketNotionalUsdPips: UsdPips | null;
  readonly sideNotionalUsdPips: UsdPips | null;
  readonly globalNotionalUsdPips: UsdPips | null;
  readonly partnerNotionalUsdPips: UsdPips | null;
  readonly userBorrowUsdcUnits: UsdcUnits | null;
  readonly marketBorrowUsdcUnits: UsdcUnits | null;
  readonly sideBorrowUsdcUnits: UsdcUnits | null;
  /** Cap of the market's cluster; refused as the market's borrow cap. */
  readonly clusterBorrowUsdcUnits: UsdcUnits | null;
  readonly totalBorrowUsdcUnits: UsdcUnits | null;
  /** The pool's `freeLiquidity` now: what pending positions and live quotes will still take counts against it. */
  readonly poolFreeLiquidityUsdcUnits: UsdcUnits | null;
  /** What the pool still lends on the outcome, less what it lent: what is promised on the side counts against it. */
  readonly outcomePromisedUsdcUnits: UsdcUnits | null;
}

export interface ReserveRequest {
  /** Its figures say which notional and borrow count against the caps. */
  readonly quote: Omit<QuoteRecord, 'positionId'>;
  readonly clusterKey: string | null;
  /** Signature expiry plus the policy's grace: until then a block may still carry the transaction. */
  readonly releaseAtMs: number;
  readonly limits: ReserveLimits;
}

export type NotionalScope = 'user' | 'market' | 'side' | 'global' | 'partner';
export type BorrowScope = 'user' | 'market' | 'side' | 'cluster' | 'total' | 'outcome';

export type ReserveOutcome =
  | { readonly kind: 'reserved' }
  /** The key's position exists already: this draft can open nothing any more. */
  | { readonly kind: 'used' }
  /** A notional cap, the first in the order of `NotionalScope`. `current` = active + in flight. */
  | {
      readonly kind: 'refused';
      readonly measure: 'notional';
      readonly scope: NotionalScope;
      readonly currentUsdPips: UsdPips;
      readonly limitUsdPips: UsdPips;
      readonly activeUsdPips: UsdPips;
      readonly inFlightUsdPips: UsdPips;
    }
  /** A borrow cap, the first in the order of `BorrowScope`; headroom is limit − current. */
  | {
      readonly kind: 'refused';
      readonly measure: 'borrow';
      readonly scope: BorrowScope;
      readonly currentUsdcUnits: UsdcUnits;
      readonly limitUsdcUnits: UsdcUnits;
    };

export interface QuoteStore {
  /**
   * Checks every cap, counts the quote against them and stores it, in one SQL statement: no number of parallel calls
   * passes a cap. Quotes with one position key share one reservation, as large as the largest of them.
   */
  reserve(request: ReserveRequest): Promise<ReserveOutcome>;
  byId(id: string): Promise<QuoteRecord | null>;
  byDigest(digest: string): Promise<QuoteRecord | null>;
  /**
   * Deletes quotes whose reservation was released before that instant, and the reservation; at most `limit` keys.
   * Returns how many. A quote of which a position came is kept: the position is folded from its terms.
   */
  removeReleased(beforeMs: number, limit: number): Promise<number>;
  /** Quotes of one key, oldest first: more than one only for promotions of a draft. */
  byPositionKey(positionKey: string): Promise<readonly QuoteRecord[]>;
}
