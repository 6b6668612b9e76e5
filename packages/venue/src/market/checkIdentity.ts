import { conditionIdOf, tokenIdsOf } from '@core/vault';
import type { VenueMarket } from '../port/venueMarket.ts';
import type { Hex } from '../port/venueOrder.ts';

/** Why a market's identity cannot be trusted. */
export type IdentityProblem = 'condition_missing' | 'tokens_missing' | 'oracle_unknown' | 'tokens_not_derived';

export type IdentityCheck =
  | { readonly kind: 'proven'; readonly oracle: Hex }
  | { readonly kind: 'refused'; readonly problem: IdentityProblem };

export interface IdentityTerms {
  /** Collateral whose outcome tokens this service trades. */
  readonly collateralToken: Hex;
  /** Oracles allowed to report payouts. */
  readonly oracles: readonly Hex[];
}

/**
 * Proves by computation, before a market is listed, that an allow-listed oracle made its condition and that both token
 * ids follow from that condition and the collateral: a catalogue that lies or errs must not sell another market's
 * tokens. Costs about a millisecond (two curve points). Neg-risk markets use a wrapped collateral and are never proven
 * by this.
 */
export function checkIdentity(market: VenueMarket, terms: IdentityTerms): IdentityCheck {
  const { conditionId, questionId, tokenIds } = market;
  if (conditionId === null || questionId === null) {
    return { kind: 'refused', problem: 'condition_missing' };
  }
  if (tokenIds === null) {
    return { kind: 'refused', problem: 'tokens_missing' };
  }
  const oracle = terms.oracles.find((candidate) => conditionIdOf({ oracle: candidate, questionId }) === conditionId);
  if (oracle === undefined) {
    return { kind: 'refused', problem: 'oracle_unknown' };
  }
  const [yes, no] = tokenIdsOf({ collateralToken: terms.collateralToken, conditionId });
  return BigInt(tokenIds.yes) === yes && BigInt(tokenIds.no) === no
    ? { kind: 'proven', oracle }
    : { kind: 'refused', problem: 'tokens_not_derived' };
}
