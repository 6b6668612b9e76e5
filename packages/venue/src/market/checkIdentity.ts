import { marketProtocols, type VenueMarket } from '@core/market';
import type { Hex } from '@core/position';
import { conditionIdOf, managedTokenIdsOf, tokenIdsOf } from '@core/vault';

/** Causes for which a market's identity is not trusted. */
export type IdentityProblem =
  | 'ledger_unsupported'
  | 'negative_risk_unsupported'
  | 'combination_unsupported'
  | 'condition_not_native'
  | 'condition_missing'
  | 'tokens_missing'
  | 'oracle_unknown'
  | 'tokens_not_derived';

export type IdentityCheck =
  | { readonly kind: 'proven'; readonly oracle: Hex }
  | { readonly kind: 'refused'; readonly problem: IdentityProblem };

export interface IdentityTerms {
  /** Collateral whose outcome tokens this service trades. */
  readonly collateralToken: Hex;
  /** Oracles allowed to report payouts. */
  readonly oracles: readonly Hex[];
  /** Contract that decides conditions of the PositionManager; null where the vault holds no outcomes of it. */
  readonly oracleAggregator: Hex | null;
}

const refusalOf = (problem: IdentityProblem): IdentityCheck => ({ kind: 'refused', problem });

/**
 * Prove by computation, before a market is listed, that an allow-listed oracle made its condition and that both token
 * ids follow from that condition and the collateral: a catalogue that lies or errs must not sell another market's
 * tokens. Costs about a millisecond (two curve points). Neg-risk markets use a wrapped collateral and are never proven
 * by this. The token ids of a market of the PositionManager are its condition and the index of the outcome; the vault
 * asks the oracle aggregator for its request at registration.
 */
export function checkIdentity(market: VenueMarket, terms: IdentityTerms): IdentityCheck {
  const { conditionId, questionId, tokenIds } = market;
  if (marketProtocols[market.version].ledger === 'position_manager') return checkManagedIdentity(market, terms);
  if (conditionId === null || questionId === null) return refusalOf('condition_missing');
  if (tokenIds === null) return refusalOf('tokens_missing');
  const oracle = terms.oracles.find((candidate) => conditionIdOf({ oracle: candidate, questionId }) === conditionId);
  if (oracle === undefined) return refusalOf('oracle_unknown');
  const [yes, no] = tokenIdsOf({ collateralToken: terms.collateralToken, conditionId });
  return BigInt(tokenIds.yes) === yes && BigInt(tokenIds.no) === no
    ? { kind: 'proven', oracle }
    : refusalOf('tokens_not_derived');
}

/** First bytes of conditions that other modules decide. */
const otherModules: ReadonlyMap<string, IdentityProblem> = new Map([
  ['0x02', 'negative_risk_unsupported'],
  ['0x03', 'combination_unsupported'],
]);

function checkManagedIdentity(
  { conditionId, tokenIds, isNegRisk }: VenueMarket,
  { oracleAggregator }: IdentityTerms,
): IdentityCheck {
  if (oracleAggregator === null) return refusalOf('ledger_unsupported');
  if (isNegRisk) return refusalOf('negative_risk_unsupported');
  if (conditionId === null) return refusalOf('condition_missing');
  if (tokenIds === null) return refusalOf('tokens_missing');
  const derived = managedTokenIdsOf(conditionId);
  if (derived === null) return refusalOf(otherModules.get(conditionId.slice(0, 4)) ?? 'condition_not_native');
  return BigInt(tokenIds.yes) === derived[0] && BigInt(tokenIds.no) === derived[1]
    ? { kind: 'proven', oracle: oracleAggregator }
    : refusalOf('tokens_not_derived');
}
