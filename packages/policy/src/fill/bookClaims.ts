import { add, type BookLevel, raw, type TokenUnits, tokenUnits, toShareStep } from '@core/pricing';
import type { FillBooks, FillWay } from './fillWays.ts';

/**
 * Tokens for which other fills use the best bids of both books. A bid for one token of a market is an ask of the other,
 * so the asks of the other token count as used with them.
 */
export interface BookClaims {
  readonly token: TokenUnits;
  readonly complement: TokenUnits;
}

/** Return the claims together with those of one more fill, in whole steps of a share, rounded up. */
export function claimsWith(
  claims: BookClaims,
  { way, fill }: { readonly way: FillWay; readonly fill: { readonly tokenUnits: TokenUnits } },
): BookClaims {
  const { token, complement } = claims;
  const tokens = toShareStep(fill.tokenUnits, 'up');
  switch (way) {
    case 'resell':
      return { token: add(token, tokens), complement };
    case 'pair':
    case 'buy':
      return { token, complement: add(complement, tokens) };
    case 'stock':
      return claims;
  }
}

/** Return the books without the levels that claims use, the best ones first. */
export function booksLeft({ token, complement, feeSchedule }: FillBooks, claims: BookClaims): FillBooks {
  return {
    token: { bids: levelsLeft(token.bids, claims.token), asks: levelsLeft(token.asks, claims.complement) },
    complement: {
      bids: levelsLeft(complement.bids, claims.complement),
      asks: levelsLeft(complement.asks, claims.token),
    },
    feeSchedule,
  };
}

function levelsLeft(levels: readonly BookLevel[], claimed: TokenUnits): readonly BookLevel[] {
  let ahead = raw(claimed);
  if (ahead === 0n) return levels;
  return levels.flatMap((level) => {
    const size = raw(level.sizeTokenUnits);
    const used = ahead < size ? ahead : size;
    ahead -= used;
    return used === size ? [] : [{ ...level, sizeTokenUnits: tokenUnits(size - used) }];
  });
}
