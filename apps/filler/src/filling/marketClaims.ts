import { type BookClaims, claimsWith } from '@core/policy';
import { tokenUnits } from '@core/pricing';
import type { FillTask } from './fillGrant.ts';

const noTokens = tokenUnits(0n);
const noClaims: BookClaims = { token: noTokens, complement: noTokens };

/**
 * Levels of books that fills in progress use, by market. Tokens of a fill are sold when no other fill of the market is
 * in progress, so the claims of a market end together.
 */
export class MarketClaims {
  /** Claims by market, in the order of its YES token. */
  readonly #claims = new Map<string, BookClaims>();

  /** Return the claims in a market, in the order of one of its tokens. */
  of(conditionId: string, isYes: boolean): BookClaims {
    return inOrderOf(isYes, this.#claims.get(conditionId) ?? noClaims);
  }

  /** Add the levels that a fill uses. */
  add({ live: { conditionId, tokenId }, chosen, market }: Pick<FillTask, 'live' | 'chosen' | 'market'>): void {
    const isYes = tokenId === market.yesTokenId;
    this.#claims.set(conditionId, inOrderOf(isYes, claimsWith(this.of(conditionId, isYes), chosen)));
  }

  /** End the claims in a market: no fill is in progress there, and its tokens are sold or wait for bids. */
  end(conditionId: string): void {
    this.#claims.delete(conditionId);
  }
}

/** Return claims in the order of YES in that of a token, or the reverse. */
const inOrderOf = (isYes: boolean, { token, complement }: BookClaims): BookClaims =>
  isYes ? { token, complement } : { token: complement, complement: token };
