import { marketProtocols, type VenueMarket } from '@core/market';
import { checkIdentity, type IdentityCheck, type IdentityTerms } from '@core/venue';
import { LRUCache } from 'lru-cache';
import type { PassProblem } from './readCatalogue.ts';

/** More markets than trade at any time. */
const maxCached = 20_000;

/**
 * Proofs of identity, each computed once: a proof costs a millisecond of processor time, and a catalogue repeats
 * itself.
 */
export class IdentityProofs {
  readonly #terms: IdentityTerms;
  /** By every input of a proof. */
  readonly #checks = new LRUCache<string, IdentityCheck>({ max: maxCached });

  constructor(terms: IdentityTerms) {
    this.#terms = terms;
  }

  of(market: VenueMarket): IdentityCheck {
    const { version, conditionId, questionId, tokenIds, isNegRisk } = market;
    const key = `${version}:${isNegRisk}:${conditionId}:${questionId}:${tokenIds?.yes}:${tokenIds?.no}`;
    const cached = this.#checks.get(key);
    if (cached !== undefined) return cached;
    const check = checkIdentity(market, this.#terms);
    this.#checks.set(key, check);
    return check;
  }

  /** Return the cause for which a market of the PositionManager is not listed; null for a listed one and for others. */
  problemOf(market: VenueMarket): PassProblem | null {
    if (marketProtocols[market.version].ledger === 'conditional_tokens') return null;
    const check = this.of(market);
    if (check.kind === 'proven') return null;
    return check.problem === 'ledger_unsupported' ? 'version_unsupported' : check.problem;
  }
}
